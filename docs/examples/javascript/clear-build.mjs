/**
 * Clears a folder, but asks a person before: an example of a client of opentoolbar's gateway.
 *
 *     node clear-build.mjs build
 *
 * It deletes nothing: it prints what it would do. Start it in the project's directory.
 */
import { readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Config, ConfigError, defaultConfig } from './config.mjs';
import { Gateway, GatewayError, OverdueError, RequestError } from './gateway.mjs';

const EXIT = {
  approved: 0,
  failed: 1,
  request: 2,
  config: 3,
  rejected: 4,
  timeout: 5,
  withdrawn: 6,
  overdue: 7,
};
const USAGE = `Clears a folder, but asks a person before. It deletes nothing.

clear-build.mjs [FOLDER]          build when left out
  --config FILE                   by \`opentoolbar config --output FILE\`
  --port N                        one of the config's; else the main one
  --reason TEXT
  --timeout-seconds N             how long the person has; 300
  --within SECONDS                after which this program takes the question back
  --show                          print what the config and each port say, and ask nobody
  --pause SECONDS                 before the second attempt; then twice that; 0.5
  --patience SECONDS              that an answer may take; 10`;

function given() {
  const text = (name) => ({ [name]: { type: 'string' } });
  const names = ['config', 'port', 'reason', 'timeout-seconds', 'within', 'pause', 'patience'];
  const flags = { show: { type: 'boolean' }, help: { type: 'boolean' } };
  const options = Object.assign(flags, ...names.map(text));
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  if (positionals.length > 1) throw new RequestError('one folder at a time');
  const number = (name, otherwise) => {
    if (values[name] === undefined) return otherwise;
    if (!/^[0-9]+(\.[0-9]+)?$/.test(values[name])) throw new RequestError(`--${name} wants a number`);
    return Number(values[name]);
  };
  const timeoutSeconds = number('timeout-seconds', 300);
  return {
    ...values,
    folder: positionals[0] ?? 'build',
    config: values.config ?? defaultConfig(),
    reason: values.reason ?? 'It is stale: the next build makes it anew.',
    port: number('port'),
    timeoutSeconds,
    // A little longer than the person has, so that it is the gateway that says that time is over.
    within: number('within', timeoutSeconds + 30),
    pause: number('pause', 0.5),
    patience: number('patience', 10),
  };
}

async function show(config, at) {
  console.log(`opentoolbar ${config.version} asks a person by ${config.workflow.join(', ')}`);
  for (const port of config.ports.values()) {
    const context = await at(port.number).context(); // each port has its own
    console.log(`port ${port.number}${port.isMain ? ' (main)' : ''}: ${context.role}`);
    console.log(`  system: ${context.system}`);
    console.log(`  instruction: ${context.baseInstruction}`);
    console.log(`  allowed: ${context.allowedActions.join('; ')}`);
    console.log(`  asks before anything else: ${context.verificationRequired ? 'yes' : 'no'}`);
  }
  const fields = (body) =>
    body.fields.map((name) => (body.required.includes(name) ? name : `${name}?`)).join(' ') ||
    'nothing named';
  for (const [name, { request, response }] of config.endpoints) {
    console.log(`${name}: takes ${fields(request)}, answers ${fields(response)}`);
  }
}

async function clear(gateway, { folder, reason, timeoutSeconds, within }) {
  let files;
  try {
    files = readdirSync(folder).sort();
  } catch (error) {
    throw new RequestError(`cannot list ${folder}: ${error.code}`);
  }
  console.log(`role here: ${(await gateway.context()).role}`);
  const action = `Delete the folder ${folder} and all that is in it`;
  const asked = await gateway.ask(action, reason, { context: { files }, timeoutSeconds });
  console.log(`${asked.id}: ${asked.message}`);
  const answer = await gateway.decision(asked, within);
  const note = answer.note ? ` Note: ${answer.note}` : '';
  if (answer.status === 'approved') {
    // Here it would be done: once, and exactly this.
    console.log(
      `approved by ${answer.decidedBy}.${note}\nwould delete ${folder} with ${files.length} entries`,
    );
    return EXIT.approved;
  }
  if (answer.decidedBy === 'timeout') {
    console.log(`rejected: nobody decided in time. ${folder} stays; ask again only if it is still needed`);
    return EXIT.timeout;
  }
  if (answer.decidedBy === 'withdrawn') {
    console.log(`rejected: the question was taken back. ${folder} stays`);
    return EXIT.withdrawn;
  }
  console.log(`rejected by a person: ${folder} stays; do not ask for the same again.${note}`);
  return EXIT.rejected;
}

async function main() {
  let args;
  try {
    args = given();
    if (args.help) {
      console.log(USAGE);
      return EXIT.approved;
    }
    const config = Config.read(args.config);
    const at = (port) => new Gateway(config, port, args);
    if (args.show) {
      await show(config, at);
      return EXIT.approved;
    }
    return await clear(at(args.port ?? config.mainPort), args);
  } catch (error) {
    if (error instanceof OverdueError) {
      console.log(`overdue: ${error.message}. ${args.folder} stays`);
      return EXIT.overdue;
    }
    console.error(`clear-build: ${error.message}`);
    if (error instanceof ConfigError) return EXIT.config;
    if (error instanceof GatewayError) return EXIT.failed;
    if (error instanceof RequestError || error.code?.startsWith('ERR_PARSE_ARGS')) return EXIT.request;
    throw error;
  }
}

process.exitCode = await main();
