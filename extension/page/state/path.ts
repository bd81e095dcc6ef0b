/** The path of an address; `/` when it is none. */
export function pathOf(address: string): string {
  try {
    return new URL(address).pathname || '/';
  } catch {
    return '/';
  }
}
