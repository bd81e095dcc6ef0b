/**
 * A message to the background, declared once: who may send it, what it holds, and what answers it. The families
 * beside this file hold them all, `table.ts` gathers them.
 */
import type { InferInput, InferOutput } from 'valibot';
import type { App } from '../app';
import type { Sender } from '../sender';
import type { Schema } from './schema';

export type Kind = Sender['kind'];
export type SenderOf<K extends Kind> = Extract<Sender, { kind: K }>;

/** `both`: the page's content script and the panel. */
type From = Kind | 'both';
type KindsOf<F extends From> = F extends Kind ? F : 'content' | 'panel';

interface Declared<F extends From, S extends Schema> {
  from: F;
  payload: S;
}

/** What one kind of sender may ask by a message. */
export interface Variant<S, A> {
  payload: S;
  /** It is answered before anything is waited for. */
  isAtOnce: boolean;
  answer: (app: () => Promise<App>, payload: never, sender: never) => Promise<A>;
}

/** By the kind of who sends it. Who is not named may not. */
export type Message = Partial<Record<Kind, Variant<Schema, unknown>>>;

/** A failure of the answer is a sentence that says what to do next. */
export function message<F extends From, S extends Schema, A>({
  from,
  payload,
  answer,
}: Declared<F, S> & {
  answer: (app: App, payload: InferOutput<S>, sender: SenderOf<KindsOf<F>>) => Promise<A>;
}) {
  const later = async (app: () => Promise<App>, asked: InferOutput<S>, sender: SenderOf<KindsOf<F>>) =>
    answer(await app(), asked, sender);
  return forKinds<F, S, A>(from, { payload, isAtOnce: false, answer: later });
}

/**
 * One whose answer is allowed by the browser only straight from the person's click: before it has begun with that it
 * waits for nothing, the app included.
 */
export function atOnce<F extends From, S extends Schema, A>({
  from,
  payload,
  answer,
}: Declared<F, S> & {
  answer: (payload: InferOutput<S>, sender: SenderOf<KindsOf<F>>, app: () => Promise<App>) => Promise<A>;
}) {
  const now = (app: () => Promise<App>, asked: InferOutput<S>, sender: SenderOf<KindsOf<F>>) =>
    answer(asked, sender, app);
  return forKinds<F, S, A>(from, { payload, isAtOnce: true, answer: now });
}

function forKinds<F extends From, S, A>(from: F, variant: Variant<S, A>) {
  const kinds = from === 'both' ? ['content', 'panel'] : [from];
  return Object.fromEntries(kinds.map((kind) => [kind, variant])) as {
    [K in KindsOf<F>]: Variant<S, A>;
  };
}

export type PayloadOf<V> = V extends { payload: infer S extends Schema } ? InferInput<S> : never;
export type AnswerOf<V> = V extends Variant<unknown, infer A> ? A : never;
