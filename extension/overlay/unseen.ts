/** Takes our own parts out of sight while the browser takes a picture of the page. */
import type { Root } from './root';

/** Our own parts are out of the picture for at most this long, milliseconds. */
const MAX_HIDDEN = 1_500;

/** Runs `work` while nothing of ours is drawn, so that a screenshot shows the page alone. */
export async function unseen<T>(root: Root, work: () => Promise<T>): Promise<T> {
  root.hide(true);
  const show = setTimeout(() => root.hide(false), MAX_HIDDEN);
  try {
    await nextPaint();
    return await work();
  } finally {
    clearTimeout(show);
    root.hide(false);
  }
}

/** Two frames on: the change has been drawn. A hidden tab draws none, so a timer runs beside. */
function nextPaint(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 120);
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
  });
}
