/**
 * Old conversations go after a while, with their pictures: the hub keeps what was said. Nothing that waits or was
 * refused is lost. Pictures and looks go with the comments that they show.
 */
import type { Comments } from './comments';
import type { Looks } from './looks';
import type { Sessions } from './sessions';
import { readIn, type Store, writing } from './store';

/** Conversations that stay however old they are. */
const MOST = 50;
const MAX_AGE = 30 * 24 * 60 * 60 * 1_000;

export async function tidyConversations(store: Store, now: number): Promise<void> {
  const threads = (await store.readAll('threads')).sort((a, b) => b.lastAt - a.lastAt);
  for (const { sessionId, lastAt } of threads.slice(MOST)) {
    if (now - lastAt < MAX_AGE) continue;
    await writing(
      store,
      async (tx) => {
        const messages = await readIn(tx.objectStore('messages').index('sessionId').getAll(sessionId));
        // One that the browser cannot read now may be one that waits.
        if (!messages || messages.some(({ delivery }) => delivery !== 'sent')) return;
        const contexts = await tx.objectStore('contexts').index('sessionId').getAllKeys(sessionId);
        for (const { id } of messages) await tx.objectStore('messages').delete(id);
        for (const id of contexts) {
          await tx.objectStore('contexts').delete(id);
          await tx.objectStore('screenshots').delete(id);
          await tx.objectStore('screenshots').delete(`${id}:viewport`);
        }
        await tx.objectStore('threads').delete(sessionId);
      },
      'relaxed',
    );
  }
}

/** A deleted comment can be brought back by Undo, and so long its picture with it. */
const UNDO_AGE = 24 * 60 * 60 * 1_000;

/** Deletes the pictures of comments that were deleted a day ago, and those that belong to nothing any more. */
export async function tidyPictures(store: Store, now: number): Promise<void> {
  await writing(
    store,
    async (tx) => {
      for (const key of await tx.objectStore('screenshots').getAllKeys()) {
        const id = key.replace(/:viewport$/, '');
        if ((await tx.objectStore('contexts').getKey(id)) !== undefined) continue;
        const isKnown = (await tx.objectStore('comments').getKey(id)) !== undefined;
        const record = await readIn(tx.objectStore('comments').get(id));
        const deletedAt = record?.current?.deletedAt;
        if (isKnown && (deletedAt === undefined || now - deletedAt < UNDO_AGE)) continue;
        // What is still to be sent is wanted by the hub.
        if ((await tx.objectStore('outbox').index('subject').count(id)) > 0) continue;
        await tx.objectStore('screenshots').delete(key);
      }
    },
    'relaxed',
  );
}

/** Deletes what was seen in tabs that are closed, and of comments that are deleted. */
export async function tidyLooks(
  looks: Pick<Looks, 'tidy'>,
  sessions: Pick<Sessions, 'all'>,
  comments: Pick<Comments, 'all'>,
): Promise<void> {
  const open = new Set((await sessions.all()).map(({ id }) => id));
  const kept = (await comments.all()).filter(({ deletedAt }) => deletedAt === undefined);
  await looks.tidy(open, new Set(kept.map(({ id }) => id)));
}
