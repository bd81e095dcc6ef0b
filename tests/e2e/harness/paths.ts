/** Where the built parts are, and where a run leaves what it saw. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type BrowserName = 'chromium' | 'firefox';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
export const TESTS = join(ROOT, 'tests');
export const ARTIFACTS = join(TESTS, 'artifacts');

function needed(path: string, how: string): string {
  if (!existsSync(path)) throw new Error(`${path} is not there; ${how}`);
  return path;
}

/** The host's binary. */
export const hostBinary = () =>
  needed(process.env.OPENTOOLBAR_HOST ?? join(ROOT, 'target/debug/opentoolbar'), 'run `cargo xtask build`');

/** The sample server of the conformance checker, behind the host's gateway. */
export const conformanceSample = () =>
  needed(
    process.env.OPENTOOLBAR_CONFORMANCE ?? join(ROOT, 'target/debug/examples/conformance'),
    'run `cargo xtask test --only mcp` once, which makes it',
  );

/** A Python that has the official SDK of MCP. */
export const pythonOfMcp = () =>
  needed(
    process.env.OPENTOOLBAR_MCP_PYTHON ?? join(ROOT, 'target/xtask/python-mcp/bin/python'),
    'run `cargo xtask test --only mcp` once, which makes it',
  );

/** The unpacked extension, as people install it. */
export const extension = (browser: BrowserName) =>
  needed(
    join(ROOT, 'extension/.output', `${browser === 'chromium' ? 'chrome' : 'firefox'}-mv3`),
    'run `cargo xtask build`',
  );

/** The browser's program, as `cargo xtask` found it, else at Debian's place. */
export const browserProgram = (browser: BrowserName) =>
  browser === 'chromium'
    ? needed(process.env.OPENTOOLBAR_CHROMIUM ?? '/usr/bin/chromium', 'run `cargo xtask setup-tools`')
    : needed(process.env.OPENTOOLBAR_FIREFOX ?? '/usr/bin/firefox-esr', 'run `cargo xtask setup-tools`');

/** Which browser this run is for. */
export function browserUnderTest(): BrowserName {
  const name = process.env.OPENTOOLBAR_BROWSER ?? 'chromium';
  if (name !== 'chromium' && name !== 'firefox')
    throw new Error(`OPENTOOLBAR_BROWSER is ${name}; chromium or firefox`);
  return name;
}

/** Whether this run plays what is alike in every browser too; by hand it does. */
export const playsAlike = () => process.env.OPENTOOLBAR_SCENARIOS !== 'differing';
