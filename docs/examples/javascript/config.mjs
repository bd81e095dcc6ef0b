/** The config of opentoolbar's gateway, as `opentoolbar config --output FILE` writes it: read, checked, kept secret. */
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const NEEDED = ['GET /health', 'GET /context', 'POST /verify', 'GET /verify/{id}', 'DELETE /verify/{id}'];
const LIMITS = ['action_characters', 'reason_characters', 'context_bytes', 'wait_seconds'];

/** The config file cannot be used. Nothing was sent. */
export class ConfigError extends Error {}

/** Names the part of a JSON value that is missing or wrong, and never its content: that may be the token. */
export class Misfit extends Error {}

/** The part at `path`, as `ports.0.url`, which must be of this type. */
export function part(value, path, type) {
  for (const step of path.split('.')) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, step)) {
      throw new Misfit(`\`${path}\` is missing`);
    }
    value = value[step];
  }
  const is = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
  const fits = type === 'any' || (type === 'integer' ? Number.isSafeInteger(value) : is === type);
  if (!fits) throw new Misfit(`\`${path}\` is not of type ${type}`);
  return value;
}

/** The list of texts there. */
export const texts = (value, path) =>
  part(value, path, 'array').map((_, at) => part(value, `${path}.${at}`, 'string'));

/** Names of a body's fields, and of those that must be there; the least and the most that a number may be. */
function format(value, path) {
  const schema = part(value, path, 'any') === null ? null : part(value, `${path}.schema`, 'any');
  if (schema === null || typeof schema !== 'object' || !('properties' in schema)) {
    return { fields: [], required: [], ranges: new Map() };
  }
  const properties = Object.entries(part(schema, 'properties', 'object'));
  const numbers = properties.filter(
    ([, one]) => Number.isFinite(one?.minimum) && Number.isFinite(one?.maximum),
  );
  return {
    fields: properties.map(([name]) => name),
    ranges: new Map(numbers.map(([name, { minimum, maximum }]) => [name, [minimum, maximum]])),
    required: 'required' in schema ? texts(schema, 'required') : [],
  };
}

function portOf(entry) {
  const number = part(entry, 'port', 'integer');
  // Written so by every gateway. Anything else would take the token off this machine.
  if (part(entry, 'url', 'string') !== `http://127.0.0.1:${number}` || number < 1 || number > 65535) {
    throw new Misfit("a `url` in `ports` is not http://127.0.0.1 with that entry's port");
  }
  return { number, role: part(entry, 'role', 'string'), isMain: part(entry, 'is_main', 'boolean') };
}

export class Config {
  // In no log: `console.log` and `JSON.stringify` show no private fields.
  #token;

  constructor(value) {
    if (part(value, 'name', 'string') !== 'opentoolbar') throw new Misfit('`name` is not opentoolbar');
    if (part(value, 'authentication.scheme', 'string') !== 'Bearer') {
      throw new Misfit('`authentication.scheme` is not Bearer');
    }
    // What the panel saves in a browser that is paired has no token.
    this.#token = part(value, 'authentication.token', 'string');
    if (!/^[A-Za-z0-9._~+/=-]{16,512}$/.test(this.#token)) {
      throw new Misfit('`authentication.token` is no token');
    }
    this.version = part(value, 'version', 'string');
    this.ports = new Map(
      part(value, 'ports', 'array')
        .map(portOf)
        .map((port) => [port.number, port]),
    );
    if ([...this.ports.values()].filter((port) => port.isMain).length !== 1) {
      throw new Misfit('`ports` has not exactly one main port');
    }
    /** By method and path: `GET /context`. */
    this.endpoints = new Map();
    for (const [at] of part(value, 'endpoints', 'array').entries()) {
      const [method, path] = ['method', 'path'].map((name) =>
        part(value, `endpoints.${at}.${name}`, 'string'),
      );
      const [request, response] = ['request', 'response'].map((of) =>
        format(value, `endpoints.${at}.${of}.body`),
      );
      this.endpoints.set(`${method} ${path}`, { request, response });
    }
    const absent = NEEDED.find((name) => !this.endpoints.has(name));
    if (absent !== undefined) throw new Misfit(`\`endpoints\` has no ${absent}`);
    if (!part(value, 'verification_workflow.available', 'boolean')) {
      throw new Misfit('`verification_workflow.available` is false: nobody can be asked here');
    }
    this.workflow = texts(value, 'verification_workflow.endpoints');
    this.limits = Object.fromEntries(LIMITS.map((name) => [name, part(value, `limits.${name}`, 'integer')]));
    if (Math.min(...Object.values(this.limits)) < 1) throw new Misfit('`limits` has one below 1');
  }

  static read(path) {
    let text;
    try {
      text = readOwn(path);
    } catch (error) {
      if (error instanceof ConfigError) throw error;
      const how = `Make it by \`opentoolbar config --output ${path}\``;
      throw new ConfigError(`cannot read ${path}: ${error.code ?? 'it is not UTF-8'}. ${how}`);
    }
    let value;
    try {
      value = JSON.parse(text);
    } catch {
      // The error of JSON.parse quotes the text, and with it perhaps the token.
      throw new ConfigError(`${path} is not JSON`);
    }
    try {
      return new Config(value);
    } catch (error) {
      if (!(error instanceof Misfit)) throw error;
      const how = `Write it anew by \`opentoolbar config --output ${path}\``;
      throw new ConfigError(`${path}: ${error.message}. ${how}`);
    }
  }

  get token() {
    return this.#token;
  }

  get mainPort() {
    return [...this.ports.values()].find((port) => port.isMain).number;
  }
}

/** The text of a file that nobody else can read. */
function readOwn(path) {
  const file = openSync(path, 'r');
  try {
    // Of the open file: what has the name may be another one a moment later. Windows has no such modes.
    if (process.platform !== 'win32' && fstatSync(file).mode & 0o077) {
      const how = `run \`chmod 600 ${path}\``;
      throw new ConfigError(`${path} can be read by others, and it holds the token: ${how}`);
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } finally {
    closeSync(file);
  }
}

export const defaultConfig = () =>
  join(process.env.OPENTOOLBAR_HOME || join(homedir(), '.opentoolbar'), 'gateway.json');
