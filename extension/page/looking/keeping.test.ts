import { expect, test } from 'vitest';
import { Epoch, MORPHED_WITHIN_MS, SHOWN_WITHIN_MS } from '../evidence/epoch';
import { KEEP_AFTER_MS, Keeping } from './keeping';

const never = () => false;
const look = (capture: string, at: number, isEvident = false, until = 0) => ({
  capture,
  at,
  until,
  comments: [{ id: 'c_1', isEvident }],
});
/** Of a page of which all is known since it was loaded. */
function knownPage(): Epoch {
  const epoch = new Epoch(0);
  epoch.read({ hasOwn: true, hubKnows: true, madeOtherAt: 0 });
  return epoch;
}

/** What is seen is judged with what is known then. */
function keepingOf(epoch = knownPage()) {
  const keeping = new Keeping(epoch);
  return { keeping, see: (one: ReturnType<typeof look>) => keeping.add(one, epoch.source(one.at)) };
}

const captures = (keeping: Keeping, now: number, holds = never as (id: string) => boolean) =>
  keeping.due(now, holds).map(({ capture }) => capture);

test('what is seen is kept once it has rested', () => {
  const { keeping, see } = keepingOf();
  see(look('a', 0));
  see(look('b', 1_000));
  expect(captures(keeping, KEEP_AFTER_MS - 1)).toEqual([]);
  expect(keeping.next()).toBe(KEEP_AFTER_MS);
  expect(captures(keeping, KEEP_AFTER_MS)).toEqual(['a']);
  expect(captures(keeping, 1_000 + KEEP_AFTER_MS)).toEqual(['b']);
  expect(keeping.next()).toBeNull();
});

test('what was seen since a change that is known only now is not kept as of the source before', () => {
  const { keeping, see } = keepingOf();
  see(look('before', 0));
  see(look('after', 500));
  keeping.changed(400, 900);
  expect(captures(keeping, 9_000)).toEqual(['before']);
});

test('after a change each look takes the place of the one before, for a while', () => {
  const { keeping, see } = keepingOf();
  keeping.changed(0, 0);
  see(look('skeleton', 100, true));
  see(look('whole', 1_500, true));
  expect(captures(keeping, 3_000)).toEqual([]);
  expect(captures(keeping, 4_000)).toEqual(['whole']);
  // A clock that goes on does not keep it from ever being kept.
  see(look('later', 9_000, true));
  see(look('even later', 10_000, true));
  expect(captures(keeping, 11_000)).toEqual(['later']);
});

test('what may pass is kept when it has been told', () => {
  const { keeping, see } = keepingOf();
  see(look('a', 0, true));
  expect(captures(keeping, 2_000, () => true)).toEqual([]);
  expect(captures(keeping, keeping.next() ?? 0)).toEqual(['a']);
});

test('a page that is still coming, or may show a change of files, waits for that', () => {
  const epoch = knownPage();
  const { keeping, see } = keepingOf(epoch);
  see(look('a', 0, false, 7_000));
  expect(captures(keeping, 6_999)).toEqual([]);
  expect(captures(keeping, 7_000)).toEqual(['a']);
  epoch.filesChanged(8_000);
  see(look('b', 8_500));
  expect(captures(keeping, 7_999 + SHOWN_WITHIN_MS)).toEqual([]);
  expect(captures(keeping, 8_000 + SHOWN_WITHIN_MS)).toEqual(['b']);
});

test('as long as not all is known of how the page was loaded nothing is kept, however long it rests', () => {
  const epoch = new Epoch(0);
  const { keeping, see } = keepingOf(epoch);
  see(look('a', 0));
  expect(keeping.next()).toBeNull();
  epoch.read({ hasOwn: false, hubKnows: false, madeOtherAt: 0 });
  // What was seen before it may be of an edit that the load brought.
  expect(captures(keeping, 9_000)).toEqual([]);
  see(look('b', 9_000));
  expect(captures(keeping, 20_000)).toEqual(['b']);
});

test('what was judged before more was learnt of the source is not kept as what it was judged with', () => {
  const epoch = knownPage();
  const { keeping } = keepingOf(epoch);
  const before = epoch.source(1_000);
  epoch.changed(900);
  keeping.add(look('a', 1_000), before);
  expect(keeping.next()).toBeNull();
  keeping.add(look('b', 1_000), epoch.source(1_000));
  expect(captures(keeping, 9_000)).toEqual(['b']);
});

test('a page knows of its source what it has loaded, the latest change', () => {
  const epoch = new Epoch(100);
  expect(epoch.source(500)).toMatchObject({ began: 100, changedAt: 0, isUnknown: true });
  expect(epoch.isRead).toBe(false);
  epoch.read({ hasOwn: true, hubKnows: false, madeOtherAt: 0 });
  expect([epoch.isRead, epoch.source(500).isUnknown]).toEqual([true, false]);
  expect(epoch.changed(300)).toBe(true);
  expect(epoch.changed(300)).toBe(false);
  expect(epoch.changed(200)).toBe(false);
  expect(epoch.source(500).changedAt).toBe(300);
});

test('a change of files counts for what is seen within a few seconds, and where no dev server tells of it', () => {
  const epoch = new Epoch(100);
  expect(epoch.filesChanged(50)).toBe(false);
  expect(epoch.filesChanged(1_000)).toBe(true);
  expect(epoch.source(900).filesUntil).toBe(0);
  expect(epoch.source(1_100).filesUntil).toBe(1_000);
  expect(epoch.openUntil(1_100)).toBe(1_000 + SHOWN_WITHIN_MS);
  expect(epoch.source(1_001 + SHOWN_WITHIN_MS).filesUntil).toBe(0);
  const hot = new Epoch(100);
  hot.servedHot();
  expect(hot.filesChanged(1_000)).toBe(false);
});

test('where neither the page nor the hub can tell, it stays unknown', () => {
  const epoch = new Epoch(100);
  epoch.read({ hasOwn: false, hubKnows: false, madeOtherAt: 0 });
  expect([epoch.isRead, epoch.source(500).isUnknown]).toEqual([true, true]);
});

test('a hub that comes later leaves open neither how the page was loaded nor what it is made of', () => {
  const epoch = new Epoch(100);
  epoch.read({ hasOwn: false, hubKnows: false, madeOtherAt: 90 });
  expect(epoch.source(500)).toMatchObject({ isUnknown: true, madeOtherAt: 90 });
  expect(epoch.isKnownToHub).toBe(false);
  epoch.hubCame();
  expect(epoch.source(500)).toMatchObject({ isUnknown: false, madeOtherAt: 0 });
  expect(epoch.isKnownToHub).toBe(true);
});

test('what an open page shows after it fetched its document leaves open what it is, but where the hub knows the files', () => {
  const fetched = (hubKnows: boolean) => {
    const epoch = new Epoch(100);
    epoch.read({ hasOwn: true, hubKnows, madeOtherAt: 90 });
    epoch.fetchedAgain(1_000);
    epoch.fetchedAgain(900);
    return (at: number) => epoch.source(at).madeOtherAt;
  };
  const by = fetched(false);
  expect([by(999), by(1_000), by(1_200)]).toEqual([90, 1_000, 1_200]);
  expect(by(60_000)).toBe(1_000 + MORPHED_WITHIN_MS);
  expect(fetched(true)(1_200)).toBe(0);
});

test('a document that is made of something else leaves open what it is, but where the hub knows the files', () => {
  const read = (hubKnows: boolean) => {
    const epoch = new Epoch(100);
    epoch.read({ hasOwn: true, hubKnows, madeOtherAt: 90 });
    return epoch.source(500);
  };
  expect(read(false)).toMatchObject({ isUnknown: false, madeOtherAt: 90 });
  expect(read(true)).toMatchObject({ isUnknown: false, madeOtherAt: 0 });
});
