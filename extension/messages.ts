/**
 * What the page's content script (`content`), the panel and the field in its frame may ask the background: types
 * alone, of the table in `background/messages/`, so that none of them bundles anything of it.
 */
export type { Answer, Asked, Payload, Type } from './background/messages/table';
