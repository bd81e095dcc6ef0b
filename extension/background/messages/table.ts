/**
 * Every message to the background. What the page and the panel may ask, with what and to what answer, are types of
 * this table; they get them by `messages.ts` of the extension and bundle nothing of it.
 */
import { approvals } from './approvals';
import { chat } from './chat';
import { comments } from './comments';
import { connection } from './connection';
import { drafts } from './drafts';
import { looking } from './looking';
import type { AnswerOf, Kind, Message, PayloadOf, Variant } from './message';
import { page } from './page';
import { projects } from './projects';
import type { Schema } from './schema';
import { submissions } from './submissions';

export const TABLE = {
  ...approvals,
  ...chat,
  ...comments,
  ...connection,
  ...drafts,
  ...looking,
  ...page,
  ...projects,
  ...submissions,
} satisfies Record<string, Message>;

/** What this kind of sender may ask by a message of that type; nothing when there is none, or it may not. */
export function variantOf(type: unknown, kind: Kind): Variant<Schema, unknown> | undefined {
  if (typeof type !== 'string' || !Object.hasOwn(TABLE, type)) return undefined;
  return (TABLE as Record<string, Message>)[type]?.[kind];
}

type Table = typeof TABLE;
/** The messages that this kind of sender may send. */
export type Type<K extends Kind> = {
  [T in keyof Table]: K extends keyof Table[T] ? T : never;
}[keyof Table];
type VariantOf<K extends Kind, T extends Type<K>> = Table[T] extends { [k in K]: infer V } ? V : never;
export type Payload<K extends Kind, T extends Type<K>> = PayloadOf<VariantOf<K, T>>;
export type Answer<K extends Kind, T extends Type<K>> = AnswerOf<VariantOf<K, T>>;
/** Any of them, as it is sent. */
export type Asked<K extends Kind = Kind> = {
  [S in K]: { [T in Type<S>]: { type: T; payload: Payload<S, T> } }[Type<S>];
}[K];
