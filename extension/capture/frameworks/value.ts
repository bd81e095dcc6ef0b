/** Careful reading of foreign objects: no assumption about their form. */

/** The property, or undefined when `object` has none to give. */
export function get(object: unknown, name: string): unknown {
  if ((typeof object !== 'object' && typeof object !== 'function') || object === null) return undefined;
  return (object as Record<string, unknown>)[name];
}

export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.length > 0 && value.length <= 1_024 ? value : undefined;
}

export function number(value: unknown): number | undefined {
  const parsed = typeof value === 'string' && /^\d{1,8}$/.test(value) ? Number(value) : value;
  return typeof parsed === 'number' && Number.isInteger(parsed) && parsed >= 0 ? parsed : undefined;
}

/** `src/Card.vue` -> `Card`. */
export function nameOfFile(file: string | undefined): string | undefined {
  const name = file
    ?.split(/[?#]/, 1)[0]
    ?.split(/[\\/]/)
    .pop()
    ?.replace(/\.\w+$/, '');
  return name || undefined;
}
