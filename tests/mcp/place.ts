/** A project on a home of its own, with a hub and a browser: what the tests of one file share. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Browser } from './browser.ts';

export class Place {
  readonly home = mkdtempSync(join(tmpdir(), 'otb-'));
  /** The directory that agents are started in. */
  readonly project = mkdtempSync(join(tmpdir(), 'otb-project-'));
  /** For every process of it. */
  readonly env = {
    PATH: process.env.PATH ?? '',
    HOME: this.home,
    OPENTOOLBAR_HOME: join(this.home, 'hub'),
  };
  readonly browser = new Browser(this.env);
  /** Agents that a failing test may leave behind. */
  readonly agents: ChildProcess[] = [];

  /** A tab of the project's app is open. */
  async open(): Promise<void> {
    writeFileSync(join(this.project, 'package.json'), '{}');
    await this.browser.open(this.project);
  }

  /** Ends the hub and deletes everything. The agents of an SDK are closed before. */
  async close(): Promise<void> {
    for (const agent of this.agents) agent.kill('SIGKILL');
    await this.browser.kill();
    const hub = Number(readFileSync(join(this.home, 'hub/server.pid'), 'utf8'));
    // Nothing of it is wanted any more, and told to leave it would wait for whoever says the last thing.
    process.kill(hub, 'SIGKILL');
    for (const directory of [this.home, this.project]) {
      rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
    }
  }
}
