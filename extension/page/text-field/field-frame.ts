/**
 * Our text fields: a page of the extension's own in a frame, which no script of the page reaches (`field/`). This side
 * makes the frame, shows it that we are the overlay, and tells and hears what `field/protocol.ts` says.
 *
 * A frame takes up to 170 ms to load in Chromium. So one waits unseen while a person picks; it is moved into the box
 * without loading again where the browser can do that (`moveBefore`).
 */
import { browser } from 'wxt/browser';
import {
  decodeFromField,
  encode,
  type FieldKey,
  type FieldLook,
  type FieldPlace,
  type FromField,
  type ToField,
  textOf,
} from '../../field/protocol';
import { isLocal } from '../../sites';
import type { Typed } from '../../state/draft';
import { newSecret } from '../../state/secret';
import { focusPart, onFocusOf } from '../host/focus';
import type { Root } from '../host/root';
import { ask } from '../messaging/link';
import type { Follow } from '../positioning/follow';

/**
 * How often a frame that is there and was not known is told another secret: the background may have ended in between.
 */
const MOST_TRIES = 5;
const RETRY_MS = 100;
/**
 * A loaded frame answers at once, or it is none of ours. Counted in turns of the clock, as a page may be busy for
 * longer than all of them.
 */
const TURN_MS = 100;
const MOST_TURNS = 20;
/** From when it is put in, or loaded, until it is ours: then it is given up, whatever it waits for. */
const MOST_TURNS_IN_ALL = 100;
/** After so long it is tried again whether the page allows our frames. */
const REFUSED_FOR_MS = 60_000;

export interface FieldListener {
  onText: (text: string, typed: Typed) => void;
  onKey: (key: FieldKey) => void;
  /** Another field is in the frame from now on. */
  onOpen: () => void;
  /** The frame cannot be used. It tells nothing more. */
  onLost: () => void;
}

/** Nothing can be framed by name but this; every other page of ours has the same origin. */
const origin = (): string => new URL(browser.runtime.getURL('/panel.html')).origin;

/**
 * Elsewhere than on local sites Chromium lets a page embed the field only by an address that it cannot guess, so that
 * no site finds out that the extension is there. That address is refused by pages with `Cross-Origin-Embedder-Policy`,
 * which local apps may need.
 */
const addressOf = (): string =>
  isLocal(location.hostname) ? `${origin()}/field.html` : browser.runtime.getURL('/field.html');

export class Fields {
  /** A document without an origin has no frame of ours, ever. */
  readonly #never = window.origin === 'null';
  /** When a page that never had a field of ours kept one away. */
  #refusedAt: number | null = null;
  /**
   * A field in a frame worked here: that none does later may be the page's doing, to have what is written in itself.
   */
  #worked = false;
  /** The field that was taken away had the focus: the one in its place gets it. */
  hadFocus = false;
  readonly #park: HTMLElement;
  #parked: FieldFrame | null = null;

  constructor(
    readonly root: Root,
    private readonly follow: Follow,
    signal: AbortSignal,
  ) {
    this.#park = root.layer('parked');
    signal.addEventListener('abort', () => this.cool());
  }

  /** Whether the page's own rules keep our frames away. */
  get areRefused(): boolean {
    if (this.#never) return true;
    return this.#refusedAt !== null && performance.now() - this.#refusedAt < REFUSED_FOR_MS;
  }

  /**
   * Whether a field with `text` may stand in the page, which can read it, without the person's word: only where nothing
   * is in it and no field was ever kept from this page.
   */
  mayStandInPage(text: string): boolean {
    return text === '' && !this.#worked;
  }

  /** A field will soon be wanted. */
  warm(): void {
    if (this.#parked || this.areRefused || !('moveBefore' in this.#park)) return;
    this.#parked = this.#make();
    this.#park.append(this.#parked.element);
    this.#parked.expect();
  }

  /** None will. */
  cool(): void {
    this.#parked?.remove();
    this.#parked = null;
  }

  /** A field in `slot`, until it is removed. */
  take(slot: HTMLElement): FieldFrame {
    const parked = this.#parked;
    this.#parked = null;
    if (parked && !parked.isLost && moved(parked.element, slot)) return parked;
    parked?.remove();
    const made = this.#make();
    slot.append(made.element);
    made.expect();
    return made;
  }

  #make(): FieldFrame {
    return new FieldFrame(
      this.root,
      () => {
        this.#worked = true;
        this.#refusedAt = null;
      },
      () => {
        if (!this.#worked) this.#refusedAt = performance.now();
      },
      () => this.follow.wake(),
    );
  }
}

function moved(frame: HTMLElement, slot: HTMLElement): boolean {
  const place = slot as HTMLElement & { moveBefore?: (node: Node, child: Node | null) => void };
  try {
    place.moveBefore?.(frame, null);
  } catch {
    // Not from here to there: another is made.
  }
  return frame.parentNode === slot;
}

export class FieldFrame {
  readonly element: HTMLIFrameElement;
  #port: MessagePort | null = null;
  /**
   * To what was loaded before, until what is loaded now is ready: what a person typed there may still be on its way.
   */
  #before: MessagePort | null = null;
  /** Counts what was loaded into the frame: a page that takes our root out and gets it back has it load again. */
  #loads = 0;
  #text = '';
  #look: FieldLook | null = null;
  #place: FieldPlace | null = null;
  #listener: FieldListener | null = null;
  isLost = false;
  #isRemoved = false;
  /**
   * The field in the frame had the focus when it was last heard of: while the page takes our root out nobody says that
   * it lost it.
   */
  #hadFocus = false;

  constructor(
    private readonly root: Root,
    private readonly onReady: () => void,
    /** The page keeps it away. */
    private readonly onRefused: () => void,
    private readonly onSize: () => void,
  ) {
    this.element = document.createElement('iframe');
    this.element.className = 'field-frame';
    this.element.addEventListener('load', () => void this.#meet());
    root.returned.add(this.#onReturn);
    this.element.src = addressOf();
    onFocusOf(this.element, () => this.enter());
  }

  /** It was put into the document, and is to load. */
  expect(): void {
    void this.#limit(this.#loads);
  }

  /** It is to load again, which the page may keep it from. */
  #onReturn = (): void => {
    if (this.isLost) return;
    this.#leavePort();
    this.expect();
    // The keys of somebody who goes on writing are not for the page, unless that person went to it.
    const { activeElement } = document;
    if (this.#hadFocus && (activeElement === null || activeElement === document.body))
      focusPart(this.element);
  };

  /** What was loaded is gone. */
  #leavePort(): void {
    this.#loads++;
    if (!this.#port) return;
    this.#forgetBefore();
    this.#before = this.#port;
    this.#port = null;
  }

  #forgetBefore(): void {
    this.#before?.close();
    this.#before = null;
  }

  listen(listener: FieldListener): void {
    this.#listener = listener;
  }

  look(look: FieldLook): void {
    if (JSON.stringify(look) === JSON.stringify(this.#look)) return;
    this.#look = look;
    this.#tell({ type: 'look', look });
  }

  /** Where what is written belongs. */
  place(place: FieldPlace): void {
    this.#place = { pathname: place.pathname, url: place.url };
    this.#tell({ type: 'place', place: this.#place });
  }

  /** Puts a text in place of what is there. */
  write(text: string): void {
    this.#text = textOf(text);
    this.#forgetBefore();
    this.#tell({ type: 'write', text: this.#text });
  }

  /** What is in the frame gets the focus that the frame has. */
  enter(): void {
    this.#tell({ type: 'focus' });
  }

  hasFocus(): boolean {
    return this.root.shadow.activeElement === this.element;
  }

  remove(): void {
    this.#isRemoved = true;
    this.#leavePort();
    // A turn later: what the person typed may still be on its way.
    setTimeout(() => this.#forgetBefore());
    this.root.returned.delete(this.#onReturn);
    this.element.remove();
  }

  #tell(message: ToField): void {
    this.#port?.postMessage(encode(message));
  }

  async #meet(): Promise<void> {
    if (this.isLost) return;
    this.#leavePort();
    const load = this.#loads;
    void this.#limit(load);
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const outcome = await this.#open(load).catch(() => 'unknown' as const);
      if (this.#isOver(load) || outcome === 'ready') return;
      if (outcome === 'silent') return this.#lose(true);
      await pause(RETRY_MS * 2 ** tries);
      if (this.#isOver(load)) return;
    }
    this.#lose(false);
  }

  /**
   * Whether nothing is to be said of this load: another came, or the frame is out of the document and loads again when
   * it is back.
   */
  #isOver(load: number): boolean {
    return load !== this.#loads || !this.element.isConnected;
  }

  /** Loading and the background may hang. */
  async #limit(load: number): Promise<void> {
    for (let turn = 0; turn < MOST_TURNS_IN_ALL; turn++) {
      await pause(TURN_MS);
      if (this.#port || this.#isOver(load)) return;
    }
    this.#lose(false);
  }

  #lose(isRefused: boolean): void {
    this.isLost = true;
    this.#loads++;
    this.#forgetBefore();
    if (isRefused) this.onRefused();
    this.#listener?.onLost();
  }

  /** Hands a port to whatever is in the frame, if that is ours. `silent`: it is not. */
  async #open(load: number): Promise<'ready' | 'unknown' | 'silent'> {
    const secret = newSecret();
    await ask('offer_field', { secret });
    const { port1: port, port2: theirs } = new MessageChannel();
    return new Promise((resolve) => {
      let isThere = false;
      port.onmessage = ({ data }) => {
        const message = decodeFromField(data);
        if (message?.type === 'here') isThere = true;
        else if (message?.type === 'refused') resolve('unknown');
        else if (message?.type === 'ready') {
          if (load === this.#loads) this.#start(port);
          resolve('ready');
        } else if (message && this.#isHeard(message, port)) this.#hear(message, secret);
      };
      // Only a document of the extension's own gets it, whatever the page put into the frame.
      this.element.contentWindow?.postMessage(encode({ type: 'open_field', secret }), origin(), [theirs]);
      void (async () => {
        for (let turn = 0; turn < MOST_TURNS && !isThere && !this.#isOver(load); turn++) await pause(TURN_MS);
        if (!isThere) resolve('silent');
      })();
    });
  }

  /**
   * Of what was loaded before, only what the person did: how it looked, and that it lost the focus, is over. Of a frame
   * that is removed, only what was typed: nothing is there any more for a key to act on.
   */
  #isHeard({ type }: FromField, port: MessagePort): boolean {
    if (port === this.#port) return true;
    return port === this.#before && (type === 'text' || (type === 'key' && !this.#isRemoved));
  }

  #start(port: MessagePort): void {
    this.#forgetBefore();
    this.#port = port;
    this.onReady();
    this.#listener?.onOpen();
    this.#tell({ type: 'write', text: this.#text });
    if (this.#look) this.#tell({ type: 'look', look: this.#look });
    if (this.#place) this.#tell({ type: 'place', place: this.#place });
    // It was another document's when it got it.
    if (this.hasFocus()) focusPart(this.element);
  }

  #hear(message: FromField, secret: string): void {
    if (message.type === 'text') {
      const { text, count } = message;
      this.#text = text;
      this.#listener?.onText(text, { secret, count });
    } else if (message.type === 'focused') this.#hadFocus = message.isFocused;
    else if (message.type === 'key') this.#listener?.onKey(message);
    else if (message.type === 'height' && message.height > 0 && this.#look) {
      this.element.style.height = `${Math.min(message.height, this.#look.tallest)}px`;
      this.onSize();
    }
  }
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
