/**
 * Puts the features together for one page: state, messages, and (once there is something to show) overlay and pins. An idle
 * page without comments gets nothing of ours: no element, no observer.
 */
import { effect, signal as value } from '@preact/signals';
import { redactText, redactUrl } from '../capture/redact';
import type { Comment } from '../generated/Comment';
import type { ToContent } from '../messages';
import { jumpTo } from '../pins/jump';
import { initLook } from '../pins/look';
import { initPinLayer, type PinLayer } from '../pins/pin-layer';
import { pinAnew } from '../pins/repin';
import { Sightings } from '../pins/sightings';
import { initThread } from '../pins/thread';
import { watchAddress } from './address';
import { initCommentBox } from './comment-box';
import { Follow } from './follow';
import { isolate } from './isolation';
import { ask, hear } from './link';
import { initNotice } from './notice';
import { initPickBar } from './pick-bar';
import { initPicking, leave } from './picking';
import { createRoot } from './root';
import { createState, type State, sentence } from './state';

const MAX_RETRY_MS = 30_000;

export function start(signal: AbortSignal): void {
  const state = createState(redactUrl(location.href));
  let parts: Parts | null = null;
  const shown = () => {
    parts ??= build(state, signal);
    return parts;
  };

  hear((message) => receive(message, state, shown), signal);
  void load(state, signal);
  const checkAddress = watchAddress((url) => {
    state.opened.value = null;
    if (state.picking.value) leave(state);
    state.url.value = redactUrl(url);
    // The title often follows the address by a moment.
    setTimeout(
      () => tell('page_moved', { url: redactUrl(location.href), title: redactText(document.title) }),
      100,
    );
  }, signal);

  const stops = [
    effect(() => {
      if (state.picking.value || state.here.value.length > 0 || state.notice.value) shown();
    }),
    tellOfPicking(state),
    effect(() => {
      const { here } = state;
      if (parts && here.value) parts.soon();
    }),
    // An older message would stand in the way of the picking.
    effect(() => {
      if (state.picking.value) state.notice.value = null;
    }),
  ];
  window.addEventListener('click', () => queueMicrotask(checkAddress), { signal, passive: true });
  window.addEventListener(
    'pageshow',
    (event) => {
      if (event.persisted) void load(state, signal);
    },
    { signal },
  );
  signal.addEventListener('abort', () => {
    for (const stop of stops) stop();
  });
}

interface Parts {
  /** The comments changed: look for their elements. */
  soon: () => void;
  jump: (commentId: string) => void;
}

/** Each feature by itself: one that fails is named in the console and the others go on. */
function feature(name: string, init: () => void): void {
  try {
    init();
  } catch (error) {
    console.warn(`opentoolbar: ${name} could not start`, error);
  }
}

function build(state: State, signal: AbortSignal): Parts {
  const root = createRoot(signal);
  const follow = new Follow(signal);
  const sightings = new Sightings();
  const seen = value(0);
  let layer: PinLayer | null = null;
  isolate(root, signal);

  const look = initLook(
    state,
    sightings,
    () => {
      seen.value++;
      layer?.refresh();
    },
    () => layer?.relayout(),
    signal,
  );
  feature('pins', () => {
    layer = initPinLayer(root, state, follow, sightings, look.watch, signal);
  });
  const onDone = (elements: readonly Element[]) => {
    const again = state.repinning.value;
    if (again) {
      leave(state);
      void pinAnew(state, sightings, again, elements);
    } else state.composing.value = true;
  };
  feature('picking', () => initPicking(root, state, follow, { onDone }, signal));
  feature('the pick bar', () => initPickBar(root, state, onDone, signal));
  feature('threads', () =>
    initThread(
      root,
      state,
      follow,
      sightings,
      { pinBox: (id) => layer?.pinBox(id) ?? null, seen: () => seen.value },
      signal,
    ),
  );
  const onCreated = (comment: Comment, elements: readonly Element[]) => {
    sightings.adopt(comment, elements);
    if (!state.comments.value.some((each) => each.id === comment.id)) {
      state.comments.value = [...state.comments.value, comment];
    }
    layer?.refresh();
  };
  feature('the comment box', () => initCommentBox(root, state, follow, { onCreated }, signal));
  feature('messages to the person', () => initNotice(root, state, signal));

  look.soon(false);
  document.addEventListener('visibilitychange', () => look.soon(true), { signal });
  return {
    soon: () => look.soon(false),
    jump: (commentId) => jumpTo(root, state, follow, sightings, commentId),
  };
}

function receive(message: ToContent, state: State, shown: () => Parts): void {
  switch (message.type) {
    case 'comments':
      // At once: an agent's answer shows in the same frame.
      state.comments.value = message.payload.comments;
      break;
    case 'connection':
      state.connection.value = message.payload.connection;
      break;
    case 'set_picking':
      if (message.payload.picking) {
        state.opened.value = null;
        state.picking.value = true;
      } else leave(state);
      break;
    case 'jump_to':
      shown().jump(message.payload.commentId);
      break;
  }
}

/** Asks for what is known of this tab until the background answers. */
async function load(state: State, signal: AbortSignal): Promise<void> {
  for (let wait = 500; !signal.aborted; wait = Math.min(wait * 2, MAX_RETRY_MS)) {
    try {
      const tab = await ask('get_tab_state', {});
      state.comments.value = tab.comments;
      state.connection.value = tab.connection;
      if (tab.picking) state.picking.value = true;
      return;
    } catch (error) {
      console.debug(`opentoolbar: ${sentence(error)}`);
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}

function tellOfPicking(state: State): () => void {
  let told = false;
  return effect(() => {
    const picking = state.picking.value;
    if (picking === told) return;
    told = picking;
    tell('picking_changed', { picking });
  });
}

/** News for the background; it is no matter when they are lost. */
function tell(...[type, payload]: Parameters<typeof ask<'page_moved' | 'picking_changed'>>): void {
  ask(type, payload).catch((error) => console.debug(`opentoolbar: ${sentence(error)}`));
}
