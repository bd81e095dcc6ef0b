/** The moment as the panel shows it: moved on now and then, and whenever something new is told. */
import { signal } from '@preact/signals';
import type { Platform } from './platform';

/** `2 min ago` need not be more exact. Milliseconds. */
const TICK = 20_000;

export class Clock {
  /** Milliseconds since the Unix epoch. */
  readonly now = signal(0);
  readonly #timer: ReturnType<typeof setInterval>;

  constructor(private readonly platform: Platform) {
    this.refresh();
    this.#timer = setInterval(() => this.refresh(), TICK);
  }

  refresh(): void {
    this.now.value = this.platform.now();
  }

  end(): void {
    clearInterval(this.#timer);
  }
}
