import { createElement } from 'react';

/** Without JSX, in a plain script. */
export function Note() {
  return createElement('p', { id: 'script' }, 'Closed on Mondays');
}
