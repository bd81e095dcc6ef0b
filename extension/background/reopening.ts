/**
 * A database connection that is opened again when the browser closed it: for an upgrade or a deletion elsewhere
 * (`versionchange`), because the person cleared the site's data, or because the process that keeps the data ended
 * (`terminated`). Knows no schema.
 */
import type { DBSchema, IDBPDatabase } from 'idb';

/** Opens a connection; `closed` is to be called when it can be used no more. */
export type Opener<S extends DBSchema> = (closed: () => void) => Promise<IDBPDatabase<S>>;

export class Reopening<S extends DBSchema> {
  #opener: Opener<S>;
  #opening: Promise<IDBPDatabase<S>> | undefined;

  constructor(opener: Opener<S>) {
    this.#opener = opener;
  }

  /** The connection, opened when there is none. Rejects with a sentence when it cannot be. */
  connected(): Promise<IDBPDatabase<S>> {
    if (this.#opening) return this.#opening;
    const opening = this.#opener(() => this.#forget(opening)).catch((failure: unknown) => {
      this.#forget(opening); // the next use tries again
      throw new Error(`The browser's storage could not be opened (${failure}). Restart the browser.`);
    });
    this.#opening = opening;
    return opening;
  }

  /**
   * Does `work`, once more on a new connection when the one it had was closed under it: what a closed connection had
   * not committed is not stored, so nothing is done twice.
   */
  async run<T>(work: (db: IDBPDatabase<S>) => Promise<T>): Promise<T> {
    const opening = this.connected();
    const db = await opening;
    try {
      return await work(db);
    } catch (failure) {
      if (!isOfConnection(failure)) throw failure;
      this.#forget(opening);
      db.close();
      return work(await this.connected());
    }
  }

  /** Closes the connection; the next use opens another. */
  close(): void {
    const opening = this.#opening;
    this.#opening = undefined;
    opening?.then(
      (db) => db.close(),
      () => {}, // it was never open
    );
  }

  #forget(opening: Promise<IDBPDatabase<S>>): void {
    if (this.#opening === opening) this.#opening = undefined;
  }
}

/**
 * `InvalidStateError`: no transaction begins on a closed connection; `AbortError`: one was running when it was closed;
 * `UnknownError`: the process behind it has gone.
 */
function isOfConnection(failure: unknown): boolean {
  return (
    failure instanceof DOMException &&
    (failure.name === 'InvalidStateError' || failure.name === 'AbortError' || failure.name === 'UnknownError')
  );
}
