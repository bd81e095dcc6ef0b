/** The one gateway that this browser is paired with: kept in the extension's own database, which no page can reach. */
import type { PairedHost } from '../state/connection';
import type { Store } from './store';
import { addressOf, end, type Pairing, pair } from './transport/gateway';

const KEY = 'gateway';

export interface PairedOptions {
  store: Store;
  /** This extension's version of the protocol. */
  protocol: number;
  /** The pairing is another one now, or none: the ways to the hub changed. */
  changed: () => void;
}

export class Paired {
  #options: PairedOptions;
  #pairing: Pairing | undefined;
  #isKnown = true;

  private constructor(options: PairedOptions, pairing: Pairing | undefined) {
    this.#options = options;
    this.#pairing = pairing;
  }

  static async load(options: PairedOptions): Promise<Paired> {
    return new Paired(options, await options.store.get('pairings', KEY));
  }

  get pairing(): Pairing | undefined {
    return this.#pairing;
  }

  /** For people: without the token. */
  get host(): PairedHost | undefined {
    if (!this.#pairing) return undefined;
    const { host, address } = this.#pairing;
    return { host, address, isKnown: this.#isKnown };
  }

  /** The gateway was seen to know the pairing, or not to. */
  heard(isKnown: boolean): void {
    this.#isKnown = isKnown;
  }

  /** Pairs with the gateway at an address, instead of the one before. Rejects with a sentence; then nothing changes. */
  async pair(typed: string, code: string): Promise<PairedHost> {
    const { store, protocol, changed } = this.#options;
    const pairing = await pair(addressOf(typed), code, protocol);
    const before = this.#pairing;
    await store.put('pairings', pairing, KEY);
    this.#pairing = pairing;
    this.#isKnown = true;
    // What it was given before it needs no more; a gateway that is away keeps it.
    if (before) void end(before).catch(() => {});
    changed();
    return { host: pairing.host, address: pairing.address, isKnown: true };
  }

  /** Forgets the gateway, and has it forget this browser if it can be reached. */
  async forget(): Promise<void> {
    const { store, changed } = this.#options;
    const before = this.#pairing;
    await store.delete('pairings', KEY);
    this.#pairing = undefined;
    this.#isKnown = true;
    if (before) await end(before).catch(() => {});
    changed();
  }
}
