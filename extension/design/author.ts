/** Who said something, in words that panel and pins share. */
import type { Author } from '../generated/Author';

/** `You`, or the agent's name. What was imported is never called the person's own, nor an agent's without saying so. */
export function authorName(author: Author, importedAt?: number): string {
  const name = author.kind === 'agent' ? author.name : importedAt === undefined ? 'You' : 'Somebody else';
  return importedAt === undefined ? name : `${name} (imported)`;
}
