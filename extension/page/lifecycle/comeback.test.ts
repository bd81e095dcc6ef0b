import { beforeEach, expect, test, vi } from 'vitest';
import { Comeback } from './comeback';

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

function play() {
  const end = new AbortController();
  const said = { came: 0, gaveUp: 0 };
  const comeback: Comeback = new Comeback(
    () => said.came++,
    () => said.gaveUp++,
    end.signal,
  );
  return { end, said, comeback };
}

test('never comes back in the task that took us out', () => {
  const { said, comeback } = play();
  comeback.removed();
  expect(said.came).toBe(0);
  vi.advanceTimersByTime(0);
  expect(said.came).toBe(1);
});

test('a page that takes us out whenever we come is left alone in the end, and says so once', () => {
  const { said, comeback } = play();
  for (let at = 0; at < 60_000; at += 10) {
    comeback.removed();
    vi.advanceTimersByTime(10);
  }
  expect(said).toEqual({ came: 8, gaveUp: 1 });
  // The person wants us there.
  comeback.renew();
  comeback.removed();
  vi.advanceTimersByTime(0);
  expect(said.came).toBe(9);
});

test('who was left alone for a while begins anew', () => {
  const { said, comeback } = play();
  for (let day = 0; day < 30; day++) {
    comeback.removed();
    vi.advanceTimersByTime(20_000);
  }
  expect(said).toEqual({ came: 30, gaveUp: 0 });
});

test('comes no more when all is over', () => {
  const { end, said, comeback } = play();
  comeback.removed();
  end.abort();
  vi.advanceTimersByTime(60_000);
  comeback.removed();
  vi.advanceTimersByTime(60_000);
  expect(said).toEqual({ came: 0, gaveUp: 0 });
});
