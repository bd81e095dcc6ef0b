/** Values that a schema takes, and what is wrong with them, for the tests of messages. */
import type { Schema } from '../background/messages/schema';
import { read } from '../background/messages/schema';
import { newSecret } from '../state/secret';

/** What schemas are made of, as valibot keeps it. */
interface Made {
  type: string;
  entries?: Record<string, Schema>;
  item?: Schema;
  wrapped?: Schema;
  options?: readonly unknown[];
  literal?: unknown;
}

const ancestors = [{}];
const PLAIN = ['c_1', 'm_1', 'a', newSecret(), 7, true, undefined, {}, { element: {}, ancestors }];
/** Of what is checked by its outline alone, the whole outline. */
const WHOLE = { element: {}, ancestors, children: [{}], targets: [{}] };

/** A value with every field that the schema knows. */
export function sampleOf(schema: Schema): unknown {
  const { type, entries, item, wrapped, options = [], literal } = schema as unknown as Made;
  if (entries) {
    return Object.fromEntries(Object.entries(entries).map(([name, of]) => [name, sampleOf(of)]));
  }
  if (item) return [sampleOf(item)];
  if (wrapped) return sampleOf(wrapped);
  const taken = [literal, ...options, ...PLAIN].find((value) => 'value' in read(schema, value));
  if (taken === undefined && type !== 'undefined') throw new Error(`No sample of a ${type} is known.`);
  return taken !== PLAIN.at(-1) ? taken : WHOLE;
}

/** The way to a part of a value. */
export type Path = (string | number)[];

/** The ways to all parts of a value, without that to the whole. */
export function partsOf(value: unknown, way: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => {
    const here = [...way, Array.isArray(value) ? Number(name) : name];
    return [here, ...partsOf(part, here)];
  });
}

/** What stands there. */
export const partAt = (value: unknown, way: Path): unknown =>
  way.reduce<unknown>((of, name) => (of as Record<string | number, unknown>)[name], value);

/** The value with another part there, or without one. */
export function withPart(value: unknown, way: Path, part?: { put: unknown }): unknown {
  const copy: unknown = structuredClone(value);
  const holder = partAt(copy, way.slice(0, -1)) as Record<string | number, unknown>;
  const name = way.at(-1) ?? '';
  if (part) holder[name] = part.put;
  else delete holder[name];
  return copy;
}
