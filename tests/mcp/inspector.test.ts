/**
 * The MCP Inspector's command line, over stdio and HTTP: it checks the schemas of all tools (`--strict`) and each
 * answer against its tool's output schema. That it can find something is shown with a server that is broken on purpose
 * (`broken.ts`, `loopback-proxy.ts`).
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { hostBinary } from '../e2e/harness/paths.ts';
import type { Break } from './breaks.ts';
import { TOOLS } from './documented.ts';
import { Gateway } from './gateway.ts';
import { LoopbackProxy } from './loopback-proxy.ts';
import { Place } from './place.ts';

const INSPECTOR = fileURLToPath(import.meta.resolve('@modelcontextprotocol/inspector/package.json'));
const LAUNCHER = INSPECTOR.replace(/package\.json$/, 'clients/launcher/build/index.js');
const BROKEN = fileURLToPath(new URL('broken.ts', import.meta.url));

/** Revisions with a handshake, and without. */
const ERAS = ['legacy', 'modern'];

/** What its exit codes mean. */
const UNPORTABLE_SCHEMA = 6;

const place = new Place();
let gateway: Gateway;
type Told = { code: number; output: string; complaints: string };

/** `server`: the command that it starts and talks to, or where it finds one. */
async function inspect(era: string, asked: string[], server: string[]): Promise<Told> {
  const args = [LAUNCHER, '--cli', '--protocol-era', era, '--format', 'json', ...asked, ...server];
  return await new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: place.project, env: place.env }, (error, output, complaints) =>
      resolve({ code: Number(error?.code ?? 0), output, complaints }),
    );
  });
}

/** It gives a server nothing of its own environment but what every program needs. */
const stdio = (...command: string[]) => [
  '-e',
  `OPENTOOLBAR_HOME=${place.env.OPENTOOLBAR_HOME}`,
  '--',
  ...command,
];
const http = (url: string) => [
  '--transport',
  'http',
  '--server-url',
  `${url}/mcp`,
  '--header',
  `Authorization: Bearer ${gateway.token}`,
  `Opentoolbar-Project: ${place.project}`,
];

type Carrier = {
  ours: () => string[];
  broken: (t: TestContext, how: Break) => Promise<string[]>;
};

const CARRIERS: Record<string, Carrier> = {
  stdio: {
    ours: () => stdio(hostBinary(), 'mcp'),
    broken: async (_, how) => stdio(process.execPath, BROKEN, how, hostBinary()),
  },
  HTTP: {
    ours: () => http(gateway.url),
    broken: async (t, how) => {
      const proxy = await LoopbackProxy.open(gateway.url, {}, { how });
      t.after(() => proxy.close());
      return http(proxy.url);
    },
  },
};

const LIST = ['--strict', '--method', 'tools/list'];
const CALL = ['--method', 'tools/call', '--tool-name', 'get_ui_feedback'];

before(async () => {
  await place.open();
  await place.browser.comment('c_seen', 'Make it blue');
  gateway = await Gateway.open(place.env, place.env.OPENTOOLBAR_HOME);
});

after(async () => {
  gateway.close();
  await place.close();
});

const each = ERAS.flatMap((era) =>
  Object.entries(CARRIERS).map(([carrier, how]) => ({ era, carrier, ...how })),
);
for (const { era, carrier, ours, broken } of each) {
  test(`${era}, ${carrier}: the Inspector lists all tools and has nothing to say against their schemas`, async () => {
    const { code, output, complaints } = await inspect(era, LIST, ours());
    assert.equal(code, 0, complaints);
    const { result, schemaFindings } = JSON.parse(output) as {
      result: { tools: { name: string }[] };
      schemaFindings?: unknown[];
    };
    assert.deepEqual(
      result.tools.map((tool) => tool.name),
      TOOLS,
    );
    assert.deepEqual(schemaFindings ?? [], []);
  });

  test(`${era}, ${carrier}: the Inspector calls a tool and takes its answer`, async () => {
    const { code, output, complaints } = await inspect(era, CALL, ours());
    assert.equal(code, 0, complaints);
    const { result } = JSON.parse(output) as {
      result: { structuredContent: { comments: { text: string }[] } };
    };
    assert.deepEqual(
      result.structuredContent.comments.map((comment) => comment.text),
      ['Make it blue'],
    );
  });

  test(`${era}, ${carrier}: the Inspector finds a schema or an answer that is not valid`, async (t) => {
    const schema = await inspect(era, LIST, await broken(t, 'schema'));
    assert.equal(schema.code, UNPORTABLE_SCHEMA, schema.output + schema.complaints);
    const answer = await inspect(era, CALL, await broken(t, 'answer'));
    assert.notEqual(answer.code, 0, answer.output);
    assert.match(answer.complaints, /comments must be array/);
  });
}
