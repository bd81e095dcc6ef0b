/** The real processes between a page and its agents, to be stopped and killed as crashes and hangs would. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Host } from './host.ts';
import { hostBinary } from './paths.ts';
import { until } from './until.ts';

/** The host's processes of this home: numbers, with the verb of each. Where there is no `/proc`, none. */
async function processesOf(host: Host): Promise<{ pid: number; verb: string }[]> {
  const found: { pid: number; verb: string }[] = [];
  for (const name of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(name)) continue;
    const [command, environment] = await Promise.all(
      ['cmdline', 'environ'].map((file) => readFile(join('/proc', name, file), 'utf8').catch(() => '')),
    );
    const [program, verb = ''] = (command ?? '').split('\0');
    const isOurs = environment?.split('\0').includes(`OPENTOOLBAR_HOME=${host.state}`);
    if (program?.endsWith('opentoolbar') && isOurs) found.push({ pid: Number(name), verb });
  }
  return found;
}

/** The process between the browser and the hub: of this home, and neither the hub nor an MCP server. */
export async function relayPid(host: Host): Promise<number> {
  return until('the relay runs', async () => {
    const hub = await host.hubPid();
    const isRelay = ({ pid, verb }: { pid: number; verb: string }) =>
      pid !== hub && verb !== 'mcp' && verb !== 'serve';
    return (await processesOf(host)).find(isRelay)?.pid ?? null;
  });
}

/** Ends what runs of this home: whoever loses the hub starts another one, until nobody is left. */
export async function endProcesses(host: Host): Promise<void> {
  await until('the host’s processes have ended', async () => {
    const left = await processesOf(host);
    for (const { pid } of left) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
    }
    return left.length === 0;
  });
}

/** Holds a process while something is looked at; it goes on afterwards, whatever came of it. */
export async function whileStopped(pid: number, look: () => Promise<void>): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  try {
    await look();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}

/** An agent whose program is a process of its own, connected. `mute`: it answers no question. */
export async function agentProcess(
  host: Host,
  project: string,
  mute: 'mute' | '' = '',
): Promise<ChildProcess & { pid: number }> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'agent-process.ts'), hostBinary(), project, mute],
    { env: host.env, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let said = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  await until('the agent’s process is connected', () => said.includes('connected'));
  const { pid } = child;
  if (pid === undefined) throw new Error('the agent’s process did not start');
  return Object.assign(child, { pid });
}
