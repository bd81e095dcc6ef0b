/**
 * A browser as the host meets it: starts the binary with the extension's origin and speaks native-messaging frames
 * (u32 in native order, then JSON). No extension and no browser are needed for that.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { hostBinary, ROOT } from '../e2e/harness/paths.ts';

type Message = Record<string, unknown>;

export class Browser {
  private readonly process: ChildProcessByStdio<Writable, Readable, null>;
  private received = Buffer.alloc(0);
  private readonly waiting = new Map<string, (message: Message) => void>();
  private last = 0;

  constructor(env: Record<string, string>) {
    const identity = JSON.parse(readFileSync(join(ROOT, 'extension/identity.json'), 'utf8')) as {
      chromeId: string;
    };
    const origin = `chrome-extension://${identity.chromeId}/`;
    this.process = spawn(hostBinary(), [origin], { env, stdio: ['pipe', 'pipe', 'ignore'] });
    this.process.stdout.on('data', (piece: Buffer) => {
      this.received = Buffer.concat([this.received, piece]);
      this.deliver();
    });
  }

  private deliver(): void {
    while (this.received.length >= 4) {
      const length = this.received.readUInt32LE(0);
      if (this.received.length < 4 + length) return;
      const message = JSON.parse(this.received.subarray(4, 4 + length).toString()) as Message;
      this.received = this.received.subarray(4 + length);
      if (typeof message.replyTo === 'string') this.waiting.get(message.replyTo)?.(message);
    }
  }

  /** Sends a request of the protocol and gives the answer's payload; a refusal throws. `sessionId`: its tab, if any. */
  async ask(type: string, payload?: Message, sessionId?: string): Promise<Message> {
    this.last += 1;
    const id = `m_test_${process.pid}_${this.last}`;
    const answer = new Promise<Message>((resolve) => this.waiting.set(id, resolve));
    const about = { ...(sessionId ? { sessionId } : {}), ...(payload ? { payload } : {}) };
    const json = Buffer.from(JSON.stringify({ id, type, ...about }));
    const head = Buffer.alloc(4);
    head.writeUInt32LE(json.length);
    this.process.stdin.write(Buffer.concat([head, json]));
    const { type: kind, payload: told } = await answer;
    if (kind === 'error') throw new Error(`${type}: ${JSON.stringify(told)}`);
    return (told ?? {}) as Message;
  }

  /** Says hello and opens a tab that belongs to `project`. */
  async open(project: string): Promise<void> {
    await this.ask('hello', {
      protocol: 1,
      version: '0.1.0',
      role: 'browser',
      client: 'Test browser',
      capabilities: [],
    });
    await this.ask('set_origin_project', { origin: 'http://localhost:5173', root: project });
    const url = 'http://localhost:5173/';
    await this.ask('open_session', { id: 's_test', url, title: 'Shop', lastActive: Date.now() });
  }

  /** `target`: what is pinned; without one, a button that no page has. */
  async comment(
    id: string,
    text: string,
    pathname = '/',
    screenshot?: string,
    target?: Message,
  ): Promise<void> {
    const snapshot = {
      tag: 'button',
      classes: ['btn'],
      name: 'Save',
      text: 'Save',
      box: { x: 0, y: 0, width: 80, height: 32 },
      component: 'SaveButton',
      source: { file: 'src/SaveButton.tsx', line: 12, confidence: 0.9, reason: 'React _debugSource' },
    };
    const comment = {
      id,
      revision: 1,
      url: `http://localhost:5173${pathname}`,
      pathname,
      title: 'Shop',
      sessionId: 's_test',
      status: 'active',
      stage: 'open',
      text,
      author: { kind: 'person' },
      targets: [target ?? { snapshot, selector: 'button.btn', anchor: 'AQ==' }],
      createdAt: Date.now(),
      updatedAt: Date.now(),
    };
    await this.ask('create_comment', { sessionId: 's_test', comment, ...(screenshot ? { screenshot } : {}) });
  }

  /** Says something in the chat beside the page. */
  async say(message: string): Promise<void> {
    await this.ask('user_message', { message }, 's_test');
  }

  /** What was said and no agent has read yet, oldest first. */
  async unread(): Promise<string[]> {
    const { messages } = await this.ask('get_conversation', {}, 's_test');
    return (messages as { content: string; role: string; isRead: boolean }[])
      .filter((message) => message.role === 'user' && !message.isRead)
      .map((message) => message.content);
  }

  /** How many agents are connected, and how many of them wait for news. */
  async agents(): Promise<{ connected: number; waiting: number }> {
    const { agents } = await this.ask('ping');
    const links = agents as { isWaiting: boolean }[];
    return { connected: links.length, waiting: links.filter((agent) => agent.isWaiting).length };
  }

  /** Asks until so many agents wait for news: what happens in another process takes a moment to be known. */
  async untilWaiting(count: number): Promise<void> {
    const began = Date.now();
    while ((await this.agents()).waiting !== count) {
      if (Date.now() - began > 20_000) throw new Error(`${count} agents should wait for news`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  close(): void {
    this.process.stdin.end();
  }

  /** Ends its process at once, and comes back when it is gone: it would start another hub. */
  async kill(): Promise<void> {
    const ended = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await ended;
  }
}
