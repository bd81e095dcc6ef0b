/** A small client of opentoolbar's gateway: questions to a person. Node 22 or newer, without packages. */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Misfit, part, texts } from './config.mjs';

/** Of one request. */
const ATTEMPTS = 5;
const LONGEST_PAUSE = 60; // seconds
const MAX_ANSWER = 1024 * 1024; // bytes
/** Unless the config's format says another range. */
const TIMEOUT_SECONDS = [5, 86_400];

/** What was to be asked does not fit. It was not sent. */
export class RequestError extends Error {}

/** The gateway refuses, does not answer, or is something else. */
export class GatewayError extends Error {}

/** Nobody decided before our own deadline. The question is taken back. */
export class OverdueError extends Error {}

/** A failure that may pass. `after`: seconds to wait, if the server says. */
class TryAgain extends Error {
  constructor(why, after) {
    super(why);
    this.after = after;
  }
}

/** Who may have decided what. */
const DECIDERS = {
  pending: [undefined],
  approved: ['person', 'rule'],
  rejected: ['person', 'timeout', 'withdrawn'],
};

/** One port of the gateway. `pause`: seconds before the second attempt; `patience`: seconds for an answer. */
export class Gateway {
  #config;
  #port;
  #pause;
  #patience;
  #isOpentoolbar = false;

  constructor(config, port, { pause = 0.5, patience = 10 } = {}) {
    if (!config.ports.has(port)) {
      throw new RequestError(`port ${port} is none of the config's: ${[...config.ports.keys()].join(', ')}`);
    }
    this.#config = config;
    this.#port = port;
    this.#pause = pause;
    this.#patience = patience;
  }

  /** What an agent is told at this port. Another port tells something else. */
  async context() {
    const answer = await this.#call('GET', '/context');
    return this.#parsed('GET /context', () => {
      const text = (name) => this.#plain(part(answer, name, 'string'));
      return {
        system: text('system'),
        role: text('role'),
        baseInstruction: text('base_instruction'),
        allowedActions: texts(answer, 'allowed_actions').map((action) => this.#plain(action)),
        verificationRequired: part(answer, 'verification_required', 'boolean'),
      };
    });
  }

  /** Asks a person. Sent twice it is the same question while it waits, so that it may be tried again. */
  async ask(action, reason, { context, timeoutSeconds = 300 } = {}) {
    const asked = { action, reason, timeout_seconds: timeoutSeconds };
    if (context !== undefined) asked.context = context;
    this.#check(asked);
    return this.#verification('POST /verify', await this.#call('POST', '/verify', { body: asked }));
  }

  /** How it stands, at once or, while it is pending, up to `wait` seconds later. */
  async get({ id }, wait = 0) {
    const path = `/verify/${id}?wait=${wait}`;
    return this.#verification(`GET ${path}`, await this.#call('GET', path, { wait }), id);
  }

  /** Waits for the answer, at most so many seconds; then the question is taken back. */
  async decision(asked, within) {
    const deadline = performance.now() + within * 1000;
    while (asked.status === 'pending') {
      const left = (deadline - performance.now()) / 1000;
      if (left <= 0) return this.#takeBack(asked);
      asked = await this.get(asked, Math.min(this.#config.limits.wait_seconds, Math.floor(left) + 1));
      // A server that does not wait is not asked without end.
      if (asked.status === 'pending') await sleep(this.#pause * 1000);
    }
    return asked;
  }

  async #takeBack(asked) {
    const path = `/verify/${asked.id}`;
    const taken = await this.#call('DELETE', path, { mayConflict: true });
    // Decided meanwhile: then that counts.
    if (taken === undefined) return this.get(asked);
    this.#verification(`DELETE ${path}`, taken, asked.id);
    throw new OverdueError('nobody decided in the time that this program has: the question is taken back');
  }

  /** What the gateway would refuse is not sent. */
  #check(asked) {
    const { limits, endpoints } = this.#config;
    const { fields, required, ranges } = endpoints.get('POST /verify').request;
    const odd = Object.keys(asked).find((name) => !fields.includes(name));
    const wrong = odd ?? required.find((name) => !Object.hasOwn(asked, name));
    if (wrong !== undefined) {
      throw new RequestError(`\`${wrong}\` is not as the config's format of POST /verify says`);
    }
    for (const name of ['action', 'reason']) {
      const [text, most] = [asked[name], limits[`${name}_characters`]];
      // Characters, and not the halves of which JavaScript's length counts two for some.
      const isText = typeof text === 'string' && text.isWellFormed() && text.trim() !== '';
      if (!isText || [...text].length > most) {
        throw new RequestError(`\`${name}\` must have 1 to ${most} characters`);
      }
    }
    const { context = '' } = asked;
    const text = typeof context === 'string' ? context : JSON.stringify(context);
    if (text === undefined) throw new RequestError('`context` cannot be said in JSON');
    const size = Buffer.byteLength(text);
    if (size > limits.context_bytes) {
      throw new RequestError(`\`context\` has ${size} bytes, at most ${limits.context_bytes} are taken`);
    }
    const [least, most] = ranges.get('timeout_seconds') ?? TIMEOUT_SECONDS;
    const seconds = asked.timeout_seconds;
    if (!Number.isInteger(seconds) || seconds < least || seconds > most) {
      throw new RequestError(`\`timeout_seconds\` must be from ${least} to ${most}`);
    }
  }

  #verification(what, answer, id) {
    const found = this.#parsed(what, () => {
      const text = (name) => this.#plain(part(answer, name, 'string'));
      const more = (name) => ((answer[name] ?? null) === null ? undefined : text(name));
      return {
        id: part(answer, 'verification_id', 'string'),
        /** pending, approved or rejected */
        status: text('status'),
        message: text('message'),
        /** person, rule, timeout or withdrawn */
        decidedBy: more('decided_by'),
        note: more('note'),
      };
    });
    if (!Object.hasOwn(DECIDERS, found.status) || !DECIDERS[found.status].includes(found.decidedBy)) {
      throw new GatewayError(`${what} answered something else: \`status\` and \`decided_by\` do not fit`);
    }
    if ((id !== undefined && id !== found.id) || !/^[A-Za-z0-9_-]{1,64}$/.test(found.id)) {
      throw new GatewayError(`${what} answered with another \`verification_id\``);
    }
    return found;
  }

  #parsed(what, parse) {
    try {
      return parse();
    } catch (error) {
      if (!(error instanceof Misfit)) throw error;
      throw new GatewayError(`${what} answered something else: ${error.message}`);
    }
  }

  /** One request with its retries. Undefined: a conflict that the caller expects. */
  async #call(method, path, { body, wait = 0, mayConflict = false } = {}) {
    const { status, answer } = await this.#retried(`${method} ${path}`, async () => {
      await this.#makeSure();
      return this.#exchange(method, path, { body, wait, withToken: true });
    });
    if (status === 409 && mayConflict) return undefined;
    if (status >= 300 && status < 400) {
      const why = 'a redirect is not followed, it could lead the token away';
      throw new GatewayError(`${method} ${path}: ${status}; ${why}`);
    }
    // 404 and its like stay what they are, however often one asks.
    if (status !== 200) throw new GatewayError(`${method} ${path}: ${status} ${this.#reason(answer)}`);
    if (answer === null || typeof answer !== 'object' || Array.isArray(answer)) {
      throw new GatewayError(`${method} ${path} answered something else: no JSON object`);
    }
    return answer;
  }

  async #retried(what, attempt) {
    for (let count = 1, pause = this.#pause; ; count += 1, pause = Math.min(pause * 2, LONGEST_PAUSE)) {
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof TryAgain)) throw error;
        // Whoever answers next may be another program: it is asked anew before it sees the token.
        this.#isOpentoolbar = false;
        const why = this.#plain(error.message);
        if (error.after > LONGEST_PAUSE) {
          throw new GatewayError(`${what}: gave up, ${error.after} s are too long to wait: ${why}`);
        }
        if (count === ATTEMPTS) throw new GatewayError(`${what}: gave up after ${ATTEMPTS} attempts: ${why}`);
        await sleep((error.after ?? pause) * 1000);
      }
    }
  }

  /** That it is opentoolbar which has the port, before the token is sent there. */
  async #makeSure() {
    if (this.#isOpentoolbar) return;
    const { status, answer } = await this.#exchange('GET', '/health');
    if (status !== 200 || answer?.name !== 'opentoolbar') {
      throw new GatewayError(`port ${this.#port} is not opentoolbar's: another program has it`);
    }
    this.#isOpentoolbar = true;
  }

  /** One request. An agent of its own knows no proxy, and `request` follows no redirect: either could see the token. */
  async #exchange(method, path, { body, wait = 0, withToken = false } = {}) {
    const headers = { 'User-Agent': 'opentoolbar-example-javascript/1', Accept: 'application/json' };
    if (withToken) headers.Authorization = `Bearer ${this.#config.token}`;
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    const signal = AbortSignal.timeout((wait + this.#patience) * 1000);
    const options = {
      host: '127.0.0.1',
      port: this.#port,
      method,
      path,
      headers,
      signal,
      agent: new Agent(),
    };
    let response;
    let answer;
    try {
      response = await sent(request(options), body);
      answer = parsed(await text(response));
    } catch (error) {
      // Refused, broken off, late, or not HTTP.
      throw new TryAgain(error.name === 'AbortError' ? 'no answer in time' : (error.code ?? error.message));
    }
    const { statusCode: status, headers: said } = response;
    if (status === 429) {
      const after = /^[0-9]{1,6}$/.test(said['retry-after'] ?? '') ? Number(said['retry-after']) : undefined;
      throw new TryAgain(`429 ${this.#reason(answer)}`, after);
    }
    if (status >= 500) throw new TryAgain(`${status} ${this.#reason(answer)}`);
    return { status, answer };
  }

  #reason(answer) {
    const words = [answer?.message, answer?.nextStep].filter(
      (word) => typeof word === 'string' && word !== '',
    );
    return this.#plain(words.join('. ')) || 'without a reason';
  }

  /** As it may be printed: the other side could send the token back, or what a terminal obeys. */
  #plain(text) {
    return text.replaceAll(this.#config.token, '(token)').replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ');
  }
}

/** The answer's head. */
function sent(asking, body) {
  return new Promise((resolve, reject) => {
    asking.on('response', resolve).on('error', reject);
    asking.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

async function text(response) {
  const pieces = [];
  let size = 0;
  for await (const piece of response) {
    size += piece.length;
    if (size > MAX_ANSWER) throw new Error('the answer is too long');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

/** Null for what is not JSON. */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
