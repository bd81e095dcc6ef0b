/**
 * Records that the browser cannot read any more, as after a crash that took the file of a large one. For
 * fake-indexeddb.
 */
import { unwrap } from 'idb';
import type { Store } from '../background/store';

type Records = { records: { get(key: unknown): { value: unknown } | undefined } };
type Raw = { _rawDatabase: { rawObjectStores: Map<string, Records> } };

/** From now on reading this record fails, alone or among others, and aborts a transaction that lets it. */
export async function damage(store: Store, name: string, key: unknown): Promise<void> {
  const database = unwrap(await store.connected()) as unknown as Raw;
  const record = database._rawDatabase.rawObjectStores.get(name)?.records.get(key);
  if (!record) throw new Error(`there is no ${name} ${key}`);
  // What it is indexed by stays; a function is never cloned.
  record.value = { ...(record.value as object), damage: () => {} };
}
