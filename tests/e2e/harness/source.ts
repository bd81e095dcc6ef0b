/** Edits of the source of a running app. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Puts a file in place whole, as editors do: a dev server that reads it while it is being written would serve half of
 * it, and load the page anew because of that.
 */
export async function writeSource(file: string, text: string): Promise<void> {
  const whole = join(tmpdir(), `otb-${randomUUID()}`);
  await writeFile(whole, text);
  await rename(whole, file);
}

/**
 * The source of a running app, as a person's editor changes it. The dev server of the app shows an edit in the open
 * page, so this is how a test makes a comment outdated: what a script does to a page is its state, and says nothing of
 * its source.
 */
export class Source {
  private readonly before = new Map<string, string | null>();
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  read(file: string): Promise<string> {
    return readFile(join(this.folder, file), 'utf8');
  }

  async write(file: string, text: string): Promise<void> {
    // Two writes at once are one to a watcher of files; a person is slower.
    await new Promise((resolve) => setTimeout(resolve, 150));
    if (!this.before.has(file)) this.before.set(file, await this.read(file).catch(() => null));
    await writeSource(join(this.folder, file), text);
  }

  /** Replaces text that stands there once; of several pairs, those that are there. */
  async edit(file: string, ...pairs: string[]): Promise<void> {
    const text = await this.read(file);
    let edited = text;
    for (let at = 0; at < pairs.length; at += 2)
      edited = edited.replace(pairs[at] ?? '', pairs[at + 1] ?? '');
    assert.notEqual(edited, text, `${file} has no ${pairs[0]}`);
    await this.write(file, edited);
  }

  /** Puts back every file as it was. */
  async undo(): Promise<void> {
    // What was written last goes first: nothing is taken away that another file still asks for.
    for (const [file, text] of [...this.before].reverse()) {
      if (text === null) await rm(join(this.folder, file));
      else await writeSource(join(this.folder, file), text);
    }
    this.before.clear();
  }
}
