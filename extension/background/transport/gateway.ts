/**
 * The hub's gateway by HTTP: pairing with a code, whether the pairing still stands, and its end. What goes wrong
 * becomes a sentence that says what to do.
 */
import type { ErrorBody } from '../../generated/ErrorBody';

/** What a paired browser keeps. The token never leaves the background. */
export interface Pairing {
  /** `127.0.0.1:7847`. */
  address: string;
  token: string;
  /** Name of the machine that the hub runs on. */
  host: string;
}

/** The gateway does not know the token: it was taken back. */
export class PairingEnded extends Error {}

const PORT = 7847;
const ANSWER_WITHIN = 10_000;
/** The gateway's own refusals are short. */
const LONGEST_ANSWER = 4_096;

/**
 * The address as the person typed it: a port, `localhost:7847`, or the whole of `ws://127.0.0.1:7847/ws`.
 * Throws an Error for any other machine than this one.
 */
export function addressOf(typed: string): string {
  const text = typed.trim().replace(/\/+$/, '');
  const url = /^\d+$/.test(text) ? `http://127.0.0.1:${text}` : text.replace(/^ws:\/\//i, 'http://');
  const whole = /^https?:\/\//i.test(url) ? url : `http://${url}`;
  if (text === '' || !URL.canParse(whole)) throw new Error(`Type an address such as 127.0.0.1:${PORT}.`);
  const { hostname, port, protocol } = new URL(whole);
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(hostname) || protocol !== 'http:') {
    throw new Error(
      `opentoolbar connects to this machine only. For one elsewhere run here: ssh -L ${PORT}:127.0.0.1:${PORT} HOST, and type 127.0.0.1:${PORT}.`,
    );
  }
  // The gateway has no other address, and the extension's policy allows no other.
  return `127.0.0.1:${port || (/:80$/.test(text) ? 80 : PORT)}`;
}

/** A pairing for a code that the person read from the terminal. Rejects with a sentence. */
export async function pair(address: string, code: string, protocol: number): Promise<Pairing> {
  const response = await ask(address, '/pair', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code: code.trim() }),
  });
  if (!response.ok) throw new Error(await refusalOf(response, address));
  const welcome = (await response.json().catch(() => ({}))) as Partial<Pairing & { protocol: number }>;
  const { token, host } = welcome;
  if (typeof token !== 'string' || token === '') throw new Error(stranger(address));
  const pairing = { address, token, host: typeof host === 'string' && host !== '' ? host : address };
  if (welcome.protocol !== protocol) {
    await end(pairing).catch(() => {});
    const older = (welcome.protocol ?? 0) < protocol ? 'the host there' : 'this extension';
    throw new Error(
      `The host at ${address} speaks protocol ${welcome.protocol ?? 'unknown'} and this extension ${protocol}. Update ${older}, then pair again.`,
    );
  }
  return pairing;
}

/** Resolves while the pairing stands. Rejects with a sentence, PairingEnded when it was taken back. */
export async function check(pairing: Pairing): Promise<void> {
  const response = await ask(pairing.address, '/paired', { method: 'POST', headers: bearer(pairing) });
  if (response.status === 401) throw new PairingEnded(taken(pairing));
  if (!response.ok) throw new Error(await refusalOf(response, pairing.address));
}

/** Ends the pairing at the hub, which closes what came in by it. */
export async function end(pairing: Pairing): Promise<void> {
  await ask(pairing.address, '/paired', { method: 'DELETE', headers: bearer(pairing) });
}

/** What is said of a pairing that was taken back. */
export function taken({ host, address }: Pairing): string {
  return `The host on ${host} (${address}) does not know this browser any more: the pairing was taken back. Pair again with a new code from \`opentoolbar pair\`.`;
}

function bearer({ token }: Pairing): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

async function ask(address: string, path: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(`http://${address}${path}`, {
      ...request,
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_WITHIN),
    });
  } catch (failure) {
    if (failure instanceof DOMException && failure.name === 'TimeoutError') {
      throw new Error(
        `What listens at ${address} does not answer. Look whether the SSH forward still stands.`,
      );
    }
    throw new Error(
      `Nobody listens at ${address}. Start \`opentoolbar serve\` where your agent runs; for another machine, also run here: ssh -L ${portOf(address)}:127.0.0.1:PORT HOST, with the PORT that \`opentoolbar pair\` printed there.`,
    );
  }
}

/** The gateway's own sentence, or what to think of an answer that is not its. */
async function refusalOf(response: Response, address: string): Promise<string> {
  const text = (await response.text().catch(() => '')).slice(0, LONGEST_ANSWER);
  let body: Partial<ErrorBody>;
  try {
    body = JSON.parse(text) as Partial<ErrorBody>;
  } catch {
    return stranger(address);
  }
  const { message, nextStep } = body;
  const isOurs = typeof message === 'string' && typeof nextStep === 'string' && response.status !== 404;
  if (!isOurs) return stranger(address);
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}. ${nextStep}`;
}

function stranger(address: string): string {
  return `What listens at ${address} is not opentoolbar, or another version of it. Look at the address that \`opentoolbar pair\` printed, and update the older one.`;
}

function portOf(address: string): string {
  return address.slice(address.lastIndexOf(':') + 1);
}
