/** The examples of docs/examples, as a developer starts them: one program in three languages that behave alike. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../e2e/harness/paths.ts';

export interface Language {
  name: string;
  /** The program and what comes before its arguments. */
  command: string[];
  /** What it calls itself to the gateway. */
  asker: string;
}

/** Python itself: what the PATH names may be a script that looks for it anew each time. */
export const PYTHON = execFileSync(
  process.env.OPENTOOLBAR_PYTHON ?? 'python3',
  ['-c', 'import sys; print(sys.executable)'],
  { encoding: 'utf8' },
).trim();

const EXAMPLES = join(ROOT, 'docs/examples');
const RUST = process.env.OPENTOOLBAR_EXAMPLE_RUST ?? join(ROOT, 'target/debug/clear-build');

export const LANGUAGES: Language[] = [
  {
    name: 'Python',
    // No compiled files beside the source.
    command: [PYTHON, '-B', join(EXAMPLES, 'python/clear_build.py')],
    asker: 'opentoolbar-example-python/1',
  },
  {
    name: 'JavaScript',
    command: [process.execPath, join(EXAMPLES, 'javascript/clear-build.mjs')],
    asker: 'opentoolbar-example-javascript/1',
  },
  { name: 'Rust', command: [RUST], asker: 'opentoolbar-example-rust/1' },
];

if (!existsSync(RUST)) throw new Error(`${RUST} is not there; run \`cargo build -p opentoolbar-example\``);

/** How each ends, as docs/examples/README.md says. */
export const EXIT = {
  approved: 0,
  failed: 1,
  request: 2,
  config: 3,
  rejected: 4,
  timeout: 5,
  withdrawn: 6,
  overdue: 7,
};

/** So many letters of a secret tell something of it. */
const PART = 8;

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Place {
  cwd: string;
  env?: Record<string, string>;
  /** What must be in nothing that it prints. */
  secrets: string[];
}

/** A run that has begun. */
export class Run {
  private readonly child;
  private readonly secrets: string[];
  private readonly ended: Promise<unknown>;
  stdout = '';
  private stderr = '';

  constructor(language: Language, args: string[], { cwd, env, secrets }: Place) {
    const [program, ...before] = language.command;
    assert.ok(program);
    const known = { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', ...env };
    this.secrets = secrets;
    this.child = spawn(program, [...before, ...args], { cwd, env: known, stdio: ['ignore', 'pipe', 'pipe'] });
    this.child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
    });
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.ended = once(this.child, 'close');
  }

  /** Its end. Whatever happened, no secret was printed, and no error that nobody caught. */
  async outcome(): Promise<Outcome> {
    const late = setTimeout(() => this.child.kill('SIGKILL'), 40_000);
    await this.ended;
    clearTimeout(late);
    const { stdout, stderr } = this;
    const said = `${stdout}${stderr}`;
    for (const secret of this.secrets) {
      // Parsers quote some letters of what they cannot read: a part of a secret is one too.
      for (let at = 0; at + PART <= secret.length; at += 1) {
        assert.ok(!said.includes(secret.slice(at, at + PART)), `a secret is printed: ${said}`);
      }
    }
    assert.doesNotMatch(stderr, /Traceback|panicked|^ +at /m);
    return { code: this.child.exitCode, stdout, stderr };
  }
}

/** That it ended so, and said so on the right stream. */
export function ended({ code, stdout, stderr }: Outcome, expected: keyof typeof EXIT, said: RegExp): void {
  const all = `${stdout}\n${stderr}`;
  assert.equal(code, EXIT[expected], all);
  const isFailure = ['failed', 'request', 'config'].includes(expected);
  assert.match(isFailure ? stderr : stdout, said, all);
  // A failure is one sentence, which is all that a person wants of it.
  if (isFailure) assert.match(stderr, /^clear.build: [^\n]+\n$/);
}
