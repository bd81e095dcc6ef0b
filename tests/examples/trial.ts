/** One scenario in one language: a fault server, a folder with a `build/` to clear, and a config that fits the two. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { configOf, FaultServer, Folder, TOKEN } from './fault-server.ts';
import { LANGUAGES, type Language, type Outcome, Run } from './languages.ts';

/** Seconds; long enough that a busy machine answers in time where it should. */
const TIMES = { pause: '0.02', patience: '10' };

export class Trial {
  readonly folder = new Folder();
  readonly server = new FaultServer();
  readonly language: Language;
  /** Environment of the program, beside what each has. */
  env: Record<string, string> = {};
  private readonly closing: (() => Promise<void>)[] = [() => this.server.close()];

  constructor(language: Language) {
    this.language = language;
  }

  async open(): Promise<this> {
    mkdirSync(join(this.folder.path, 'build'));
    for (const name of ['a.js', 'b.js', 'c.js']) this.folder.write(`build/${name}`, '');
    await this.server.open();
    return this;
  }

  /** What the gateway of this trial says. */
  get config() {
    return configOf(this.server.port);
  }

  /** Another server, which is closed with the rest. */
  async another(port = 0): Promise<FaultServer> {
    const server = await new FaultServer().open(port);
    this.closing.push(() => server.close());
    return server;
  }

  /** Begins the program with the usual config, or with one that is given. */
  begin(args: string[] = [], config?: string, times: Partial<typeof TIMES> = {}): Run {
    const file = config ?? this.folder.write('gateway.json', this.config);
    const { pause, patience } = { ...TIMES, ...times };
    const all = [...args, '--config', file, '--pause', pause, '--patience', patience];
    return this.started(all);
  }

  private started(args: string[]): Run {
    const env = { HOME: this.folder.path, ...this.env };
    return new Run(this.language, args, { cwd: this.folder.path, env, secrets: [TOKEN] });
  }

  /** Without a word of where the config is. */
  runBare(args: string[]): Promise<Outcome> {
    return this.started(args).outcome();
  }

  run(args: string[] = [], config?: string, times: Partial<typeof TIMES> = {}): Promise<Outcome> {
    return this.begin(args, config, times).outcome();
  }

  async close(): Promise<void> {
    for (const close of this.closing) await close();
    rmSync(this.folder.path, { recursive: true, force: true });
  }
}

/** The scenario in each language. */
export function scenario(name: string, play: (trial: Trial) => Promise<void>): void {
  for (const language of LANGUAGES) {
    test(`${name}: ${language.name}`, async () => {
      const trial = await new Trial(language).open();
      try {
        await play(trial);
      } finally {
        await trial.close();
      }
    });
  }
}
