/**
 * What waits in the outbox, looked at once: what can be sent, in which lane, and what is damaged, which is told to the
 * person.
 */
import { Damaged } from './damaged';
import type { OutboxItem, Store } from './store';
import { readItem, subjectsOf } from './waiting';

export interface SurveyOptions {
  /** Items that are sent now, or will be, are left out. */
  hasTurn: (seq: number) => boolean;
  /** What waits of an origin, or what is told of it, changed. */
  changed: (origin: string) => void;
  /** Milliseconds since the epoch. */
  now: number;
}

/** An item that can be sent. */
export interface Ready {
  seq: number;
  /** Its project's root, else its origin. */
  lane: string;
  subjects: string[];
}

export class Survey {
  /** Of everything that was there when the look began. */
  readonly keys: ReadonlySet<number>;
  /** In their order. */
  readonly ready: Ready[] = [];
  /** By their keys, with what of them can be read. */
  readonly damaged = new Map<number, unknown>();
  #store: Store;
  #options: SurveyOptions;
  #told: Damaged;
  /** By origin, and by comment: read once for each, however much waits. */
  #projects = new Map<string, string | undefined>();
  #ofComments = new Map<string, string | undefined>();

  private constructor(store: Store, options: SurveyOptions, keys: number[], told: Damaged) {
    this.#store = store;
    this.#options = options;
    this.keys = new Set(keys);
    this.#told = told;
  }

  static async of(store: Store, options: SurveyOptions): Promise<Survey> {
    const told = await Damaged.of(store, () => options.now);
    const keys = await store.getAllKeys('outbox');
    await told.clearAllBut(keys);
    const survey = new Survey(store, options, keys, told);
    for (const seq of keys) if (!options.hasTurn(seq)) await survey.#look(seq);
    return survey;
  }

  async #look(seq: number): Promise<void> {
    // Read one by one: an item may have gone meanwhile, and one that cannot be read stays and stops no other comment's.
    const found: unknown = await this.#store.read('outbox', seq);
    if (found === undefined && (await this.#store.count('outbox', seq)) === 0) return;
    const item = readItem(found);
    if (!item) {
      this.damaged.set(seq, found);
      return;
    }
    if (await this.#told.clear(seq)) this.#options.changed(item.origin);
    this.ready.push({ seq, lane: await this.#laneOf(item), subjects: subjectsOf(item) });
  }

  async #laneOf({ origin, request, subject }: OutboxItem): Promise<string> {
    if (request.type === 'change_comment') {
      if (!this.#ofComments.has(subject))
        this.#ofComments.set(subject, (await this.#store.read('comments', subject))?.project);
      const project = this.#ofComments.get(subject);
      if (project !== undefined) return project;
    }
    if (!this.#projects.has(origin)) this.#projects.set(origin, await this.#store.read('projects', origin));
    return this.#projects.get(origin) ?? origin;
  }

  /** One that cannot be told of now is told of after the next look; it stays where it is. */
  async tellDamaged(): Promise<void> {
    for (const [seq, found] of this.damaged) {
      try {
        const origin = await this.#told.tell(seq, found);
        if (origin !== undefined) this.#options.changed(origin);
      } catch (failure) {
        console.warn('opentoolbar: nobody could be told of a damaged change yet:', failure);
      }
    }
  }
}
