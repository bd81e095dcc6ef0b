/** The official Python SDK as the client (`python/client.py`), in an environment that `cargo xtask test` makes. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { hostBinary, pythonOfMcp } from '../e2e/harness/paths.ts';
import { TOOLS } from './documented.ts';
import { Place } from './place.ts';

const SCRIPT = fileURLToPath(new URL('python/client.py', import.meta.url));

/** How the SDK begins, and which revision it and the server agree upon. */
const MODES = [
  ['legacy', '2025-11-25'],
  ['auto', '2026-07-28'],
  ['2026-07-28', '2026-07-28'],
] as const;

const place = new Place();

before(async () => {
  await place.open();
  await place.browser.comment('c_python', 'Make it blue');
});

after(() => place.close());

for (const [mode, revision] of MODES) {
  test(`Python, ${mode}: agrees on ${revision}, lists, calls, and is refused`, async () => {
    const run = promisify(execFile);
    const args = ['-B', SCRIPT, mode, hostBinary()];
    const { stdout } = await run(pythonOfMcp(), args, { cwd: place.project, env: place.env });
    const seen = JSON.parse(stdout) as Record<string, unknown>;
    assert.equal(seen.revision, revision);
    assert.deepEqual(seen.tools, TOOLS);
    assert.deepEqual(seen.comments, ['Make it blue']);
    const { success, error, nextStep } = seen.refused as Record<string, unknown>;
    assert.equal(success, false);
    assert.match(`${error}. ${nextStep}`, /no comment c_nowhere.*Ask for the comments again/);
    assert.equal(seen.unknown, -32602);
    // A client that takes a revision for granted asks for no instructions.
    if (mode !== '2026-07-28') assert.match(String(seen.instructions), /get_ui_feedback/);
  });
}
