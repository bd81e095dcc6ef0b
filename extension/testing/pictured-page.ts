/**
 * All that makes a comment's picture, in one page without an extension: our element in it, the page's part
 * (`page/pictures`), and the background's, which asks it and paints (`background/screenshots.ts`). What drives the page
 * (`tests/e2e/harness/pictured-page.ts`) begins a picture, and takes it when it is told to, as the browser would.
 */
import { takePictures } from '../background/screenshots';
import { openGate } from '../page/host/gate';
import { createRoot } from '../page/host/root';
import { Pictures } from '../page/pictures/picture';
import { styles } from '../page/styles';
import type { ToContent } from '../state/to-content';
import { type Step, setUpTab } from './one-tab';

const TAB = 1;

const { signal } = new AbortController();
openGate(signal);
const root = createRoot(styles, signal, () => console.error('the page takes our element out'));
const pictures = new Pictures(root, signal);

/** The end of the picture that was begun. */
let end: Promise<Step>;
let wants: (step: Step) => void = () => {};
let deliver: (png: string) => void = () => {};

/** What comes first: the end, which need not wait for the browser, or that the browser is asked. */
function nextStep(): Promise<Step> {
  const asked = new Promise<Step>((resolve) => {
    wants = resolve;
  });
  return Promise.race([end, asked]);
}

setUpTab({
  async receive(message) {
    const { type, payload } = message as Extract<ToContent, { type: 'begin_picture' | 'finish_picture' }>;
    return type === 'begin_picture' ? pictures.begin(payload.id) : pictures.finish(payload.id);
  },
  capture: () =>
    new Promise((resolve) => {
      deliver = resolve;
      wants({ next: 'capture' });
    }),
});

let begun = 0;

/** Begins the picture of a comment about the first element that a selector names. */
function begin(target: string): Promise<Step> {
  const element = document.querySelector(target);
  if (!element) throw new Error(`the page lacks ${target}`);
  const id = `c_${++begun}`;
  const of = { elements: [element], showsEmbedded: false };
  end = pictures
    .during(id, of, () => takePictures(TAB, id))
    .then(async ({ element }) => ({ next: 'nothing', picture: element && (await addressOf(element)) }));
  return nextStep();
}

/** Goes on with what the browser shows, the address of a PNG. */
function captured(png: string): Promise<Step> {
  const next = nextStep();
  deliver(png);
  return next;
}

/** As text: Firefox lets a script beside the page's own read no bytes of the page's. */
function addressOf(png: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(png);
  });
}

Object.assign(globalThis, { opentoolbarPictures: { begin, captured } });
