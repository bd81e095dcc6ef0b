/** A coding agent as the host meets it: the official MCP SDK, over `opentoolbar mcp`, in the project's directory. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Host } from './host.ts';
import { hostBinary } from './paths.ts';

/** A tool's answer: what it says to programs, and everything else as it came. */
export interface Answer {
  value: Record<string, unknown>;
  raw: CallToolResult;
}

export class Agent {
  private readonly client: Client;
  private readonly transport: StdioClientTransport;
  /** What `opentoolbar mcp` wrote to standard error. */
  stderr = '';

  private constructor(client: Client, transport: StdioClientTransport) {
    this.client = client;
    this.transport = transport;
  }

  /** The process of `opentoolbar mcp`. */
  get serverPid(): number {
    const { pid } = this.transport;
    if (pid === null) throw new Error('the MCP server does not run');
    return pid;
  }

  static async connect(host: Host, project: string, name = 'e2e-agent'): Promise<Agent> {
    const client = new Client({ name, version: '1.0.0' });
    const transport = new StdioClientTransport({
      command: hostBinary(),
      args: ['mcp'],
      cwd: project,
      env: host.env,
      stderr: 'pipe',
    });
    const agent = new Agent(client, transport);
    transport.stderr?.on('data', (chunk: Buffer) => {
      agent.stderr += chunk.toString();
    });
    await client.connect(transport);
    return agent;
  }

  /** Calls a tool; a protocol error or a refusal throws with what the host said. */
  async call(tool: string, args: Record<string, unknown> = {}): Promise<Answer> {
    const raw = (await this.client.callTool({ name: tool, arguments: args })) as CallToolResult;
    const value = (raw.structuredContent ?? {}) as Record<string, unknown>;
    if (raw.isError || value.success === false)
      throw new Error(`${tool}: ${JSON.stringify(raw).slice(0, 2_000)}`);
    return { value, raw };
  }

  /** The comments of `get_ui_feedback`. */
  async feedback(args: Record<string, unknown> = {}): Promise<{ comments: Feedback[]; summary: Summary }> {
    const { value } = await this.call('get_ui_feedback', args);
    return value as unknown as { comments: Feedback[]; summary: Summary };
  }

  async close(): Promise<void> {
    await this.client.close();
  }
}

export interface Summary {
  total: number;
  active: number;
  outdated: number;
}

/** What the tests read of a comment in an answer; more may be there. */
export interface Feedback {
  id: string;
  status: string;
  text: string;
  [field: string]: unknown;
}
