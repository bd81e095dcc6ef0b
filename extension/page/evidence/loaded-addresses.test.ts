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

  /** Whether each load of one address makes it data, of loads with these pauses between them. */
  function oftenAfter(pauses: readonly number[]): boolean[] {
    const loaded = new LoadedAddresses(10);
    loaded.add('/app.js', true);
    let at = 1_000;
    return [0, ...pauses].map((pause) => {
      at += pause;
      return loaded.isOften('/app.js', at);
    });
  }
  const times = <T>(count: number, one: (n: number) => T) => Array.from({ length: count }, (_, n) => one(n));
  /** As a person saves: soon after a typing error, later after a thought. Under two seconds on average. */
  const SAVES = [900, 2_600, 1_100, 3_000, 700, 2_200, 1_300, 2_800, 800, 1_900, 1_200, 2_700];

  it('are no data for somebody who saves often, also the eleventh time in twenty seconds and after', () => {
    expect(SAVES.slice(0, 10).reduce((sum, pause) => sum + pause)).toBeLessThan(20_000);
    expect(oftenAfter(SAVES)).toEqual(times(SAVES.length + 1, () => false));
  });

  it('are data when one comes at a beat, though the beat is not exact or missed once', () => {
    const late = times(12, (n) => (n === 5 ? 3_400 : 1_600 + (n % 3) * 150));
    expect(oftenAfter(late).slice(10)).toEqual([true, true, true]);
  });

  it('are data when one comes faster than anybody saves, with any pauses', () => {
    expect(oftenAfter(times(12, (n) => (n % 2 ? 1_500 : 100))).slice(10)).toEqual([true, true, true]);
  });

  it('are data when one keeps coming as often for a minute, with any pauses', () => {
    const often = oftenAfter(times(36, (n) => SAVES[n % SAVES.length] ?? 0));
    expect(often.indexOf(true)).toBe(30);
    expect(often.slice(30)).toEqual(times(7, () => true));
  });
});
