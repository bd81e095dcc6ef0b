/**
 * What the fields of messages are checked by. Only this folder says valibot: one schema gives the check and the type
 * of a payload, it needs no code made from strings (which our pages forbid), and only what is used of it is bundled,
 * into the background alone.
 */
import * as v from 'valibot';
import { isSecret } from '../../state/secret';

export type Schema<In = unknown, Out = In> = v.GenericSchema<In, Out>;

/** An object; what is not named is left out of it. */
export const fields = v.object;
export const optional = v.optional;
export const nullable = v.nullable;
export const oneOf = v.picklist;
export const is = v.literal;
export const boolean = v.boolean();
export const finite = v.pipe(v.number(), v.finite());
export const positive = v.pipe(finite, v.gtValue(0));
export const integer = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
/** Milliseconds since the epoch. */
export const moment = v.pipe(v.number(), v.minValue(0), v.ltValue(8.64e15));

export const text = (most: number) => v.pipe(v.string(), v.maxLength(most));
export const count = (most: number) => v.pipe(integer, v.maxValue(most));
export const list = <T extends Schema>(item: T, most: number) => v.pipe(v.array(item), v.maxLength(most));

export const id = text(80);
export const tabId = integer;
export const secret = v.custom<string>(isSecret);
/** An id that the sender chose for something new: it is done once, however often it is asked for. */
export const newId = (prefix: 'c_' | 'm_') =>
  v.pipe(v.string(), v.startsWith(prefix), v.regex(/^[\w-]{3,66}$/));
export const url = text(64 * 1024);
/** As the page has it: browsers take addresses of up to 2 MiB. */
export const wholeUrl = text(2 * 1024 * 1024);
export const title = text(64 * 1024);

/** No payload. */
export const nothing = v.object({}) as unknown as Schema<Record<string, never>>;
/** A field that this sender may not say. */
export const absent = v.optional(v.undefined());

const object = v.custom<object>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

/**
 * A value of one of the core's types: the core checks it when it is asked about it. Here it is only seen to be an
 * object, of this outline, and handed on whole.
 */
export const fromCore = <T>(outline: Schema = object): Schema<T> =>
  v.custom<T>((value) => v.is(outline, value)) as Schema<T>;

/** What was said, as the schema reads it, or where it is wrong: `reports.0.states`. */
export function read<Out>(schema: Schema<unknown, Out>, said: unknown): { value: Out } | { wrong: string } {
  const { success, output, issues } = v.safeParse(schema, said, { abortEarly: true });
  if (success) return { value: output };
  return { wrong: (issues[0] && v.getDotPath(issues[0])) ?? '' };
}
