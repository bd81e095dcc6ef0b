/** The official MCP SDK as the client. It checks every answer against the tool's own output schema. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { hostBinary } from '../e2e/harness/paths.ts';
import { Place } from './place.ts';

const place = new Place();
const { browser } = place;
const client = new Client({ name: 'sdk-client', version: '1.0.0' });

before(async () => {
  await place.open();
  const { project: cwd, env } = place;
  await client.connect(new StdioClientTransport({ command: hostBinary(), args: ['mcp'], cwd, env }));
  // The client knows output schemas, and checks against them, once it has listed the tools.
  await client.listTools();
});

after(async () => {
  await client.close();
  await place.close();
});

async function call(
  name: string,
  args: Record<string, unknown> = {},
): Promise<CallToolResult & { value: Record<string, unknown> }> {
  const result = (await client.callTool({ name, arguments: args })) as CallToolResult;
  return { ...result, value: result.structuredContent as Record<string, unknown> };
}

test('the handshake gives instructions and the newest revision that the SDK speaks', () => {
  assert.match(client.getInstructions() ?? '', /get_ui_feedback/);
  assert.equal(client.getServerVersion()?.name, 'opentoolbar');
});

test('the tools are listed sorted, with schemas, descriptions and hints', async () => {
  const { tools } = await client.listTools();
  const names = tools.map((tool) => tool.name);
  assert.deepEqual(names, [
    'check_comment',
    'copilot_chat_secretary_get_first_request',
    'copilot_chat_secretary_get_request',
    'get_conversation_history',
    'get_screenshot',
    'get_ui_context',
    'get_ui_feedback',
    'get_verification',
    'list_dialogs',
    'list_sessions',
    'reply_to_comment',
    'request_annotation',
    'request_verification',
    'resolve_comment',
    'respond_to_browser',
    'search_dialogs',
    'select_session',
    'update_comment',
    'update_status',
    'wait_for_feedback',
  ]);
  for (const tool of tools) {
    assert.match(tool.description ?? '', /Use this tool when:\n- [\s\S]*Example usage scenarios:\n- /);
    assert.equal(tool.outputSchema?.type, 'object');
    // What is not said is as MCP has it: it writes, and may destroy.
    assert.ok(
      tool.annotations?.readOnlyHint === true || tool.annotations?.destructiveHint === false,
      tool.name,
    );
  }
});

test('get_ui_feedback, update_comment, reply_to_comment and resolve_comment: the whole cycle', async () => {
  await browser.comment('c_cycle', 'Change button color to #2563EB', '/settings');
  const { value } = await call('get_ui_feedback', { pathname: '/settings' });
  assert.deepEqual(value.summary, { total: 1, active: 1, outdated: 0, resolved: 0 });
  const [comment] = value.comments as {
    id: string;
    text: string;
    targets: { component: string; file: string }[];
  }[];
  assert.equal(comment?.text, 'Change button color to #2563EB');
  assert.equal(comment?.targets[0]?.component, 'SaveButton');
  assert.equal(comment?.targets[0]?.file, 'src/SaveButton.tsx:12');
  const started = await call('update_comment', { commentId: 'c_cycle', stage: 'in_progress' });
  assert.equal(started.value.stage, 'in_progress');
  const replied = await call('reply_to_comment', { commentId: 'c_cycle', message: 'On it' });
  assert.equal(replied.value.replies, 1);
  const resolved = await call('resolve_comment', { commentId: 'c_cycle', summary: 'Done' });
  assert.equal(resolved.value.status, 'resolved');
  const again = await call('resolve_comment', { commentId: 'c_cycle' });
  assert.equal(again.value.success, false);
  assert.match(String(again.value.error), /resolved/);
});

test('wait_for_feedback returns what comes while it waits', async () => {
  const { value } = await call('get_ui_feedback');
  const waiting = call('wait_for_feedback', { timeoutSeconds: 45, after: value.position });
  await browser.comment('c_waited', 'Make it bigger');
  const news = await waiting;
  assert.deepEqual(
    (news.value.comments as { id: string }[]).map((comment) => comment.id),
    ['c_waited'],
  );
});

test('wait_for_feedback can be cancelled', async () => {
  const aborted = new AbortController();
  const waiting = client.callTool({ name: 'wait_for_feedback', arguments: {} }, undefined, {
    signal: aborted.signal,
  });
  aborted.abort('enough');
  await assert.rejects(waiting);
  assert.equal((await call('get_ui_feedback')).value.success, true);
});

test('an agent that cancelled its wait is not told to be waiting', async () => {
  const aborted = new AbortController();
  const wait = { name: 'wait_for_feedback', arguments: { timeoutSeconds: 45 } };
  const waiting = client.callTool(wait, undefined, { signal: aborted.signal });
  await browser.untilWaiting(1);
  aborted.abort('enough');
  await assert.rejects(waiting);
  await browser.untilWaiting(0);
});

test('get_screenshot gives an image', async () => {
  const png =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
  await browser.comment('c_shot', 'This overlaps', '/', png);
  const shot = await call('get_screenshot', { commentId: 'c_shot' });
  assert.deepEqual(shot.content[1], { type: 'image', data: png, mimeType: 'image/png' });
});

test('wrong arguments are told in the answer, not as a protocol error', async () => {
  const wrong = await call('get_ui_feedback', { status: 'open' });
  assert.equal(wrong.value.success, false);
  assert.match(String(wrong.value.error), /active.*outdated.*resolved.*all/);
});
