import { describe, expect, it } from 'vitest';
import { LoadedAddresses } from './loaded-addresses';

/** A page that asks for data by scripts whose address has a counter, a minute long once a millisecond. */
function poll(loaded: LoadedAddresses, count: number): void {
  for (let n = 0; n < count; n++) loaded.add(`/data?callback=f${n}`, false);
}

describe('addresses that a page loads', () => {
  it('never become more than the limit, whatever the page loads', () => {
    const loaded = new LoadedAddresses(100);
    poll(loaded, 60_000);
    expect(loaded.size).toBe(100);
    expect(loaded.has('/data?callback=f59999')).toBe(true);
    // Each of them twice.
    for (let n = 0; n < 1_000; n++) {
      loaded.add(`/twice?callback=f${n}`, true);
      loaded.isOften(`/twice?callback=f${n}`, n);
    }
    expect(loaded.size).toBe(100);
  });

  it('forget first what is compared with nothing, then the oldest that never came again', () => {
    const loaded = new LoadedAddresses(4);
    loaded.add('/changed.js', true);
    loaded.add('/first.js', true);
    loaded.add('/second.js', true);
    loaded.isOften('/changed.js', 1);
    poll(loaded, 1_000);
    const known = (...names: string[]) => names.filter((name) => loaded.has(name));
    expect(known('/changed.js', '/first.js', '/second.js')).toHaveLength(3);
    loaded.add('/third.js', true);
    loaded.add('/fourth.js', true);
    expect(known('/changed.js', '/first.js', '/second.js', '/third.js', '/fourth.js')).toEqual([
      '/changed.js',
      '/second.js',
      '/third.js',
      '/fourth.js',
    ]);
    for (const name of ['/second.js', '/third.js', '/fourth.js']) loaded.isOften(name, 2);
    // Of those that came again the one that did so the longest ago.
    loaded.isOften('/changed.js', 3);
    loaded.add('/fifth.js', true);
    loaded.isOften('/fifth.js', 4);
    expect(known('/changed.js', '/second.js', '/third.js', '/fourth.js', '/fifth.js')).toEqual([
      '/changed.js',
      '/third.js',
      '/fourth.js',
      '/fifth.js',
    ]);
  });

  it('are known when they are added again, and stay in their place', () => {
    const loaded = new LoadedAddresses(2);
    loaded.add('/a.js', true);
    loaded.isOften('/a.js', 1);
    loaded.add('/a.js', false);
    loaded.add('/b.js', false);
    loaded.add('/c.js', false);
    expect([loaded.size, loaded.has('/a.js'), loaded.has('/c.js')]).toEqual([2, true, true]);
  });

  it('are data when one comes more than ten times in twenty seconds, and no longer when it has been quiet', () => {
    const loaded = new LoadedAddresses(10);
    loaded.add('/poll.js', true);
    const often = Array.from({ length: 12 }, (_, n) => loaded.isOften('/poll.js', n * 1_000));
    expect(often).toEqual([...Array(10).fill(false), true, true]);
    expect(loaded.isOften('/poll.js', 60_000)).toBe(false);
  });
});
