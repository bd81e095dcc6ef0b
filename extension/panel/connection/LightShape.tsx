/** A light as a shape: filled for good, a ring for waiting, a diamond for broken. The word stands beside it. */
import type { LightState } from './lights';

const shapes: Record<LightState, string> = {
  good: 'M6 1.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9Z',
  waiting: 'M6 1.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9Zm0 1.6a2.9 2.9 0 1 0 0 5.8 2.9 2.9 0 0 0 0-5.8Z',
  broken: 'M6 .7 11.3 6 6 11.3.7 6Z',
};

export function LightShape({ state }: { state: LightState }) {
  return (
    <svg
      class={`light-shape ${state}`}
      width="12"
      height="12"
      viewBox="0 0 12 12"
      aria-hidden="true"
      focusable="false"
    >
      <path d={shapes[state]} fill="currentColor" fill-rule="evenodd" />
    </svg>
  );
}
