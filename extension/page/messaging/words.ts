/** Small readings of text that both the small script and the overlay need. Pure. */

/** The path of an address; `/` when it is none. */
export function pathOf(address: string): string {
  try {
    return new URL(address).pathname || '/';
  } catch {
    return '/';
  }
}

/** A sentence for people out of whatever was thrown. */
export function sentence(error: unknown): string {
  return error instanceof Error && error.message ? error.message : 'Something went wrong. Try again.';
}
