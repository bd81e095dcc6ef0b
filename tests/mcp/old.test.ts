/**
 * An official TypeScript SDK of the time when 2024-11-05 was the newest revision (1.10.2 is the last of them). It knows
 * neither structured content nor titles, so what a tool answers is read as such clients do: from the text.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client } from 'mcp-sdk-2024-11-05/client/index.js';
import { StdioClientTransport } from 'mcp-sdk-2024-11-05/client/stdio.js';
import { type JSONRPCMessage, LATEST_PROTOCOL_VERSION } from 'mcp-sdk-2024-11-05/types.js';
import { hostBinary } from '../e2e/harness/paths.ts';
import { TOOLS } from './documented.ts';
import { Place } from './place.ts';

/** Keeps what the server sent: this SDK forgets the revision that was agreed upon. */
class Kept extends StdioClientTransport {
  readonly received: JSONRPCMessage[] = [];

  override async start(): Promise<void> {
    const deliver = this.onmessage;
    this.onmessage = (message) => {
      this.received.push(message);
      deliver?.(message);
    };
    await super.start();
  }
}

const place = new Place();
const client = new Client({ name: 'old-client', version: '1.0.0' });
const transport = new Kept({ command: hostBinary(), args: ['mcp'], cwd: place.project, env: place.env });

before(async () => {
  await place.open();
  await client.connect(transport);
});

after(async () => {
  await client.close();
  await place.close();
});

async function call(name: string, args: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
  const result = await client.callTool({ name, arguments: args });
  const [first] = result.content as { type: string; text: string }[];
  assert.equal(first?.type, 'text');
  return JSON.parse(first?.text ?? '') as Record<string, unknown>;
}

test('the handshake agrees on 2024-11-05', () => {
  assert.equal(LATEST_PROTOCOL_VERSION, '2024-11-05');
  const [first] = transport.received;
  const result = first && 'result' in first ? first.result : undefined;
  assert.equal(result?.protocolVersion, '2024-11-05');
  assert.match(client.getInstructions() ?? '', /get_ui_feedback/);
  assert.equal(client.getServerVersion()?.name, 'opentoolbar');
});

test('a ping is answered', async () => {
  assert.deepEqual(await client.ping(), {});
});

test('the tools are listed with what they take', async () => {
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map((tool) => tool.name),
    TOOLS,
  );
  for (const tool of tools) {
    assert.equal(tool.inputSchema.type, 'object');
    assert.ok(tool.description, tool.name);
  }
});

test('a comment is told and resolved, and what cannot be done is refused with what to do', async () => {
  await place.browser.comment('c_old', 'Make it blue', '/settings');
  const told = await call('get_ui_feedback', { pathname: '/settings' });
  assert.deepEqual(
    (told.comments as { text: string }[]).map((comment) => comment.text),
    ['Make it blue'],
  );
  assert.equal((await call('resolve_comment', { commentId: 'c_old' })).status, 'resolved');
  const refused = await call('resolve_comment', { commentId: 'c_old' });
  assert.equal(refused.success, false);
  assert.match(String(refused.error), /resolved/);
  assert.ok(refused.nextStep);
  // A tool that there is not is a mistake of the client, not of the model.
  await assert.rejects(client.callTool({ name: 'no_such_tool' }), /The tools are: check_comment/);
});

test('a cancelled wait ends, and what is said then is read by the next one alone', async () => {
  const { position } = await call('get_ui_feedback');
  const aborted = new AbortController();
  const wait = { name: 'wait_for_feedback', arguments: { timeoutSeconds: 45, after: position } };
  const waiting = client.callTool(wait, undefined, { signal: aborted.signal });
  await place.browser.untilWaiting(1);
  const before = transport.received.length;
  aborted.abort('enough');
  await assert.rejects(waiting);
  // An answer behind the cancellation: it was seen by now.
  await client.ping();
  await place.browser.say('Is it blue?');
  assert.equal((await call('list_sessions')).success, true);
  assert.deepEqual(await place.browser.unread(), ['Is it blue?']);
  const answers = transport.received.slice(before).filter((message) => 'result' in message);
  assert.equal(answers.length, 2, 'the ping and list_sessions are answered, the cancelled wait is not');

  const news = await call('wait_for_feedback', { timeoutSeconds: 5, after: position });
  assert.deepEqual(
    (news.messages as { content: string }[]).map((message) => message.content),
    ['Is it blue?'],
  );
  assert.deepEqual(await place.browser.unread(), []);
});
