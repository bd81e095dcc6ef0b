import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script';
import { offer } from '../page/handover';
import { start } from '../page/start';

/** Comes into a page's isolated world when there is something to show or to pick; `content.ts` starts it. */
export default defineUnlistedScript(() => {
  offer(start);
});
