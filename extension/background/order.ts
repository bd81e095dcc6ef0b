/**
 * Which item of the outbox must wait for which: whatever names the same comment or conversation keeps its order,
 * whether it is under way, waits or cannot be sent at all.
 */
import type { OutboxItem, Store } from './store';
import { namesIn, subjectsOf } from './waiting';

export class Order {
  #store: Pick<Store, 'read' | 'outboxSubjects'>;
  /** What each item names, and the other way round. */
  #subjects = new Map<number, string[]>();
  #items = new Map<string, Set<number>>();
  /** Imports that cannot be read whole: which comments they hold is not known. */
  #hidden = new Set<number>();

  constructor(store: Pick<Store, 'read' | 'outboxSubjects'>) {
    this.#store = store;
  }

  /** An item is there, and names these. */
  set(seq: number, subjects: string[]): void {
    this.delete(seq);
    this.#subjects.set(seq, subjects);
    for (const subject of subjects) {
      const items = this.#items.get(subject) ?? new Set();
      this.#items.set(subject, items.add(seq));
    }
  }

  /** One that cannot be sent as it is kept: whatever it names waits for it. */
  setDamaged(seq: number, names: Set<string>): void {
    this.set(seq, [...names]);
    if (names.has('import')) this.#hidden.add(seq);
  }

  /** An item waits no more. */
  delete(seq: number): void {
    this.#hidden.delete(seq);
    for (const subject of this.#subjects.get(seq) ?? []) {
      const items = this.#items.get(subject);
      items?.delete(seq);
      if (items?.size === 0) this.#items.delete(subject);
    }
    this.#subjects.delete(seq);
  }

  items(): number[] {
    return [...this.#subjects.keys()];
  }

  /** What names each of these damaged items have. `found`: what of them can be read. */
  async namesOf(damaged: Map<number, unknown>): Promise<Map<number, Set<string>>> {
    if (damaged.size === 0) return new Map();
    const subjects = await this.#store.outboxSubjects();
    return new Map(
      [...damaged].map(([seq, found]) => {
        const subject = subjects.get(seq);
        return [seq, new Set([...(subject === undefined ? [] : [subject]), ...namesIn(found)])];
      }),
    );
  }

  /** Those of an item's subjects for which an earlier item is there. */
  async before(item: OutboxItem): Promise<Map<string, number>> {
    const earlier = (seqs: Iterable<number>) => {
      for (const seq of seqs) if (seq < item.seq) return seq;
      return undefined;
    };
    const waiting = new Map<string, number>();
    for (const subject of subjectsOf(item)) {
      const first = earlier(this.#items.get(subject) ?? []);
      if (first !== undefined) waiting.set(subject, first);
    }
    const hidden = waiting.size === 0 ? earlier(this.#hidden) : undefined;
    if (hidden !== undefined && item.request.type === 'change_comment') {
      // What the hub has not told of may be of that import, and would be refused.
      const known = await this.#store.read('comments', item.subject);
      if (!known?.base) waiting.set(item.subject, hidden);
    }
    return waiting;
  }
}
