/** Edits of the source of a running app. */
import { randomUUID } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Puts a file in place whole, as editors do: a dev server that reads it while it is being written would serve half of it, and
 * load the page anew because of that.
 */
export async function writeSource(file: string, text: string): Promise<void> {
  const whole = join(tmpdir(), `otb-${randomUUID()}`);
  await writeFile(whole, text);
  await rename(whole, file);
}
