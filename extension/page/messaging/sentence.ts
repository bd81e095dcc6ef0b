/** A sentence for people out of whatever was thrown. */
export function sentence(error: unknown): string {
  return error instanceof Error && error.message ? error.message : 'Something went wrong. Try again.';
}
