/** That the gateway's documentation has what a developer looks for, and says what the reference says. */
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { ROOT } from '../e2e/harness/paths.ts';
import { configOf, FaultServer, Folder } from './fault-server.ts';
import { LANGUAGES, PYTHON } from './languages.ts';

const DOCS = join(ROOT, 'docs');
const EXAMPLES = join(DOCS, 'examples');
const read = (name: string) => readFileSync(join(DOCS, name), 'utf8');

const guide = read('gateway.md');
const overview = read('examples/README.md');

interface Schema {
  properties?: Record<string, { description?: string }>;
  required?: string[];
}
interface Operation {
  responses: Record<string, { description: string; content?: Record<string, { schema: Schema }> }>;
  requestBody?: { content: Record<string, { schema: Schema }> };
}
const reference = JSON.parse(read('openapi.json')) as { paths: Record<string, Record<string, Operation>> };
const operations = Object.entries(reference.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    operation,
  })),
);

/** What stands under a heading, down to the next of its rank. */
function section(text: string, heading: string): string {
  const rank = /^#+/.exec(heading)?.[0] ?? '';
  const [, rest] = text.split(`\n${heading}\n`);
  assert.ok(rest !== undefined, `there is no section ${heading}`);
  return rest.split(new RegExp(`^#{1,${rank.length}} `, 'm'))[0] ?? '';
}

/** The cells of a section's tables. */
const rows = (text: string) =>
  [...text.matchAll(/^ *\| (.*) \|$/gm)]
    .map(([, row = '']) => row.split(/ *\| */))
    .filter(([first]) => first !== '---');

/** All that is quoted, as `action`. */
const quoted = (text: string) => [...text.matchAll(/`([^`\n]+)`/g)].map(([, word = '']) => word);

/** What GitHub makes of a heading. */
const anchors = (text: string) =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^a-z0-9 -]/g, '')
      .replaceAll(' ', '-'),
  );

const ask = reference.paths['/verify']?.post?.requestBody?.content['application/json']?.schema;
const answer = reference.paths['/verify']?.post?.responses['200']?.content?.['application/json']?.schema;
const fieldsOf = (schema: Schema | undefined) => Object.keys(schema?.properties ?? {});

test('Getting Started Guide: steps, code for each platform, pitfalls, troubleshooting', () => {
  const steps = [...section(guide, '## Getting started').matchAll(/^(\d+)\. /gm)].map(([, number]) =>
    Number(number),
  );
  assert.deepEqual(steps, [1, 2, 3, 4, 5, 6]);
  for (const language of ['python/gateway.py', 'javascript/gateway.mjs', 'rust/src/gateway.rs']) {
    assert.ok(section(guide, '## Getting started').includes(`(examples/${language})`), language);
  }
  assert.ok(rows(section(guide, '## Troubleshooting')).length > 8);
  assert.ok((section(guide, '## Pitfalls').match(/^- /gm) ?? []).length > 8);
});

test('Getting Started Guide: every link leads somewhere', () => {
  for (const [file, text] of [
    ['gateway.md', guide],
    ['examples/README.md', overview],
  ] as const) {
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:)([^)]+)\)/g)) {
      const [path = '', anchor] = target.split('#');
      const found = path === '' ? join(DOCS, file) : join(DOCS, dirname(file), path);
      assert.ok(existsSync(found), `${file}: ${target}`);
      if (anchor !== undefined)
        assert.ok(anchors(readFileSync(found, 'utf8')).includes(anchor), `${file}: ${target}`);
    }
  }
});

test('API Reference: every endpoint is in the guide, and none that does not exist', () => {
  const listed = rows(section(guide, '## Endpoints')).flatMap(([names = '']) => {
    const words = quoted(names).join(' ').split(/[ ,]+/);
    const path = words.find((word) => word.startsWith('/'));
    // `POST /pair`, `POST` and `DELETE /paired` are one row.
    const last = words.findLast((word) => word.startsWith('/'));
    const at = words.indexOf(path ?? '');
    const before = words.slice(0, at).map((method) => `${method} ${path}`);
    return [...before, ...words.slice(at + 1, -1).map((method) => `${method} ${last}`)];
  });
  const known = operations.map(({ name }) => name).sort();
  assert.deepEqual([...new Set(listed)].sort(), known);
});

test('API Reference: every endpoint says what it answers, and what it takes', () => {
  for (const { name, operation } of operations) {
    const good = Object.entries(operation.responses).filter(([status]) => Number(status) < 300);
    assert.ok(good.length > 0 || name === 'GET /ws', name);
    for (const [status, { content }] of good) {
      if (status === '200')
        assert.ok(
          Object.values(content ?? {}).every(({ schema }) => schema !== undefined),
          name,
        );
    }
    if (['POST /verify', 'POST /mcp', 'POST /pair'].includes(name)) assert.ok(operation.requestBody, name);
  }
});

test('API Reference: examples of requests and answers are as the reference says', () => {
  // A command's `-d '{...}'`, and lines of an answer.
  const [, sent = ''] = /-d '(\{[^']+\})'/.exec(section(guide, '## Asking a person')) ?? [];
  const request = JSON.parse(sent) as Record<string, unknown>;
  assert.deepEqual(
    Object.keys(request).filter((name) => !fieldsOf(ask).includes(name)),
    [],
  );
  assert.ok((ask?.required ?? ['?']).every((name) => name in request));
  const answers = [...section(guide, '## Asking a person').matchAll(/^\{"verification_id"[^}]+\}/gm)];
  assert.equal(answers.length, 2);
  for (const [text] of answers) {
    const fields = Object.keys(JSON.parse(text.replace(/\n */g, '')) as object);
    assert.deepEqual(
      fields.filter((name) => !fieldsOf(answer).includes(name)),
      [],
    );
    assert.ok((answer?.required ?? ['?']).every((name) => fields.includes(name)));
  }
});

test('API Reference: every status is explained, and none that does not come', () => {
  const explained = rows(section(guide, '## Errors'))
    .map(([status]) => status)
    .filter((one) => /^\d/.test(one ?? ''));
  const statuses = operations.flatMap(({ operation }) => Object.keys(operation.responses));
  assert.deepEqual(explained.sort(), [...new Set(statuses.filter((status) => Number(status) >= 400))].sort());
});

test('API Reference: rate limits', () => {
  const limits = section(guide, '## Limits');
  assert.match(limits, /Rate limits:/);
  assert.match(limits, /Retry-After/);
});

test('API Reference: every field that the guide names is in the reference', () => {
  const whole = JSON.stringify(reference);
  const names = quoted(guide).filter((word) => /^[a-z]+(_[a-z]+)+$/.test(word));
  assert.ok(names.length > 20);
  // `http_proxy` is the environment's.
  const foreign = new Set(['http_proxy']);
  const unknown = names.filter((name) => !foreign.has(name) && !whole.includes(`"${name}"`));
  assert.deepEqual(unknown, []);
});

test('Example Code: Python, JavaScript and Rust, with errors', () => {
  assert.deepEqual(
    LANGUAGES.map(({ name }) => name),
    ['Python', 'JavaScript', 'Rust'],
  );
  const codes = rows(section(overview, '## How it ends')).map(([code]) => code);
  assert.deepEqual(codes.slice(1), ['0', '1', '2', '3', '4', '5', '6', '7']);
  for (const word of [
    'secret',
    'right server',
    'Retries',
    'Requests that fit',
    'Answers that fit',
    'Waiting',
  ]) {
    assert.ok(section(overview, '## What it shows').includes(word), word);
  }
});

test('Example Code: the lines for a program of one’s own do what they say', async () => {
  const code = (language: string) =>
    new RegExp(`\`\`\`${language}\n([^\`]+)\`\`\``).exec(overview)?.[1] ?? '?';
  const server = await new FaultServer().open();
  const home = new Folder();
  home.write('gateway.json', configOf(server.port));
  const env = { PATH: process.env.PATH ?? '', OPENTOOLBAR_HOME: home.path };
  const python = `from config import *\nfrom gateway import *\n${code('python')}print(answer.status)`;
  const javascript = `import { Config, defaultConfig } from './config.mjs';
    import { Gateway } from './gateway.mjs';
    ${code('js')}
    console.log(answer.status);`;
  for (const [folder, program, args] of [
    ['python', PYTHON, ['-B', '-c', python]],
    ['javascript', process.execPath, ['--input-type=module', '-e', javascript]],
  ] as const) {
    const { stdout } = await promisify(execFile)(program, args, { cwd: join(EXAMPLES, folder), env });
    assert.equal(stdout, 'approved\n');
  }
  assert.equal(server.of('POST /verify').length, 2);
  await server.close();
  rmSync(home.path, { recursive: true });
  // Rust's are compiled as an example of the crate's documentation.
  const documented = readFileSync(join(EXAMPLES, 'rust/src/lib.rs'), 'utf8').replace(/^\/\/! ?/gm, '');
  assert.ok(documented.includes(code('rust')));
});

test('Example Code: short enough to read, and without packages', () => {
  const python = ['-c', 'import sys; print(*sys.stdlib_module_names)'];
  const standard = execFileSync(PYTHON, python, { encoding: 'utf8' });
  const modules = new Set(standard.trim().split(' '));
  for (const folder of ['python', 'javascript', 'rust/src']) {
    for (const name of readdirSync(join(EXAMPLES, folder)).filter((one) => /\.(py|mjs|rs)$/.test(one))) {
      const text = readFileSync(join(EXAMPLES, folder, name), 'utf8');
      assert.ok(text.split('\n').length <= 310, `${folder}/${name} is long`);
      const own = readdirSync(join(EXAMPLES, folder)).map((file) => file.replace(/\.\w+$/, ''));
      for (const [, used = ''] of text.matchAll(/^(?:from|import) (\w+)/gm)) {
        if (folder === 'python') assert.ok(modules.has(used) || own.includes(used), `${name} uses ${used}`);
      }
      for (const [, used = ''] of text.matchAll(/ from '([^']+)';$/gm)) {
        assert.match(used, /^(node:|\.\/)/, `${name} uses ${used}`);
      }
    }
  }
});

test('Verification Workflow Guide: to ask, to wait, a yes, a no, and time that is over', () => {
  const workflow = section(guide, '## Asking a person');
  const table = rows(workflow).map(([first = '']) => quoted(first)[0]);
  assert.deepEqual(table.filter((name) => fieldsOf(ask).includes(name ?? '')).sort(), fieldsOf(ask).sort());
  for (const name of fieldsOf(answer)) assert.ok(quoted(workflow).includes(name), name);
  // Every way in which it can stand is a row that says what to do.
  const words = (name: string) => quoted(answer?.properties?.[name]?.description ?? '');
  const handled = rows(workflow).map(([status = '', by = '']) => [...quoted(status), ...quoted(by)]);
  for (const status of words('status'))
    assert.ok(
      handled.some(([first]) => first === status),
      status,
    );
  assert.equal(words('status').length, 3);
  for (const by of words('decided_by'))
    assert.ok(
      handled.some(([, ...others]) => others.includes(by)),
      by,
    );
  assert.equal(words('decided_by').length, 4);
  const timeouts = section(workflow, '### Timeouts');
  for (const word of ['timeout_seconds', 'wait', 'DELETE']) assert.ok(quoted(timeouts).includes(word), word);
});
