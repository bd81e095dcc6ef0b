/**
 * Puts the features together for one page: state, messages, overlay and pins. Runs only where `attend.ts` found that
 * there is something to show or to pick.
 */
import { effect, signal as value } from '@preact/signals';
import type { Comment } from '../generated/Comment';
import type { PageMessage, Settle } from '../state/to-content';
import { initApprovals } from './approvals/approvals';
import { initCommentBox } from './comment-box/comment-box';
import type { Overlay, PageFacts } from './handover';
import { isolate } from './host/isolation';
import { createRoot } from './host/root';
import { initLook, type Look } from './looking/look';
import { ask } from './messaging/link';
import { sentence } from './messaging/sentence';
import { initAnswered } from './notices/answered';
import { initAsked, pointFor } from './notices/asked';
import { initHiddenPins } from './notices/hidden-pins';
import { initNotice } from './notices/notice';
import { initPickBar } from './picking/pick-bar';
import { initPicking } from './picking/picking';
import { reportPicking } from './picking/picking-report';
import { Pictures } from './pictures/picture';
import { jumpTo } from './pins/jump';
import { initPinLayer, type PinLayer } from './pins/pin-layer';
import { Follow } from './positioning/follow';
import { Sightings } from './sightings/sightings';
import { compose, startPicking, stopPicking } from './state/pick';
import { createState, type State, upsert } from './state/state';
import { dropStaleUndo } from './state/undo';
import { styles } from './styles';
import { Drafts, placeHere } from './text-field/drafts';
import { Fields } from './text-field/field-frame';
import { confirmSame, pickFor, pinTo } from './thread/repin';
import { initThread } from './thread/thread';

export function start(facts: PageFacts, signal: AbortSignal): Overlay {
  const state = createState(facts.url);
  state.comments.value = facts.comments;
  state.connection.value = facts.connection;
  state.annotations.value = facts.annotations;
  state.answers.value = facts.answers;
  state.approvals.value = facts.approvals;
  state.pinsHidden.value = facts.pinsHidden;
  state.showsEmbedded.value = facts.showsEmbedded;
  const drafts = new Drafts(facts.drafts, signal);
  const parts = build(state, drafts, signal);
  const stops = [
    reportPicking(state.picking, (picking) => ask('picking_changed', { picking })),
    effect(() => {
      if (state.pinned.value) parts.soon();
    }),
    // An older message would stand in the way of the picking.
    effect(() => {
      if (state.picking.value) state.notice.value = null;
    }),
    // So would a passing one in that of a thread; errors, and what still can be undone, stay.
    effect(() => {
      if (state.opened.value === null) return;
      const notice = state.notice.peek();
      if (notice?.kind === 'info' && !notice.action) state.notice.value = null;
    }),
    effect(() => dropStaleUndo(state)),
  ];
  signal.addEventListener('abort', () => {
    for (const stop of stops) stop();
  });
  offerDraft(state, drafts);
  return {
    receive: (message) => {
      if (message.type === 'begin_picture') return parts.pictures.begin(message.payload.id);
      if (message.type === 'finish_picture') return parts.pictures.finish(message.payload.id);
      if (message.type === 'source_changed') parts.filesChanged(message.payload.at);
      else if (message.type === 'hub_came') parts.hubCame();
      // The script that heard it ends with everything.
      else if (message.type !== 'leave') receive(message, state, parts);
      return undefined;
    },
    moved: (url) => {
      state.opened.value = null;
      if (state.picking.value) stopPicking(state);
      state.url.value = url;
      parts.arrived();
    },
  };
}

/** After a reload: the text that was not saved is not lost, and this is the way back to it. */
function offerDraft(state: State, drafts: Drafts): void {
  if (state.picking.value || !drafts.of(placeHere(state.pathname.peek()))) return;
  state.notice.value = {
    kind: 'info',
    text: 'The text you did not save is kept for the next comment on this page.',
    action: {
      label: 'Pick an element',
      run: () => startPicking(state, { kind: 'comment' }),
    },
  };
}

interface Parts {
  pictures: Pictures;
  /** The comments changed: look for their elements. */
  soon: () => void;
  /** The page got another address. */
  arrived: () => void;
  hubCame: () => void;
  filesChanged: (at: number) => void;
  jump: (commentId: string) => void;
  /** What the person decided in the panel. */
  settle: (decision: Settle) => void;
}

/** Each feature by itself: one that fails is named in the console and the others go on. */
function feature(name: string, init: () => void): void {
  try {
    init();
  } catch (error) {
    console.warn(`opentoolbar: ${name} could not start`, error);
  }
}

function build(state: State, drafts: Drafts, signal: AbortSignal): Parts {
  const root = createRoot(styles, signal, () => {
    // Nothing can be picked where nothing of ours is seen; what was written is there for the next try.
    stopPicking(state);
    offerDraft(state, drafts);
    ask('overlay_removed', {}).catch((error) => console.debug(`opentoolbar: ${sentence(error)}`));
  });
  const follow = new Follow(signal);
  const sightings = new Sightings(() => look.pinned());
  follow.each(() => {
    root.fit();
    return false;
  }, signal);
  const seen = value(0);
  let layer: PinLayer | null = null;
  isolate(root, signal);
  const pictures = new Pictures(root, signal);
  const fields = new Fields(root, follow, signal);
  const stopWarming = effect(() => {
    if (!state.picking.value) fields.cool();
    else if (!state.composing.value) fields.warm();
  });
  signal.addEventListener('abort', stopWarming);

  const look: Look = initLook(
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
    const pick = state.pick.value;
    if (pick.step === 'choosing' && pick.purpose.kind === 'repin') {
      const { commentId, at } = pick.purpose;
      const comment = state.comments.value.find(({ id }) => id === commentId);
      const [element] = elements;
      stopPicking(state);
      if (comment && element) void pinTo(state, sightings, comment, at, element);
    } else compose(state, elements);
  };
  feature('the way back to hidden pins', () => initHiddenPins(root, state, signal));
  // The bar before picking itself, which lets nobody after it hear of the pointer.
  feature('the pick bar', () => initPickBar(root, state, onDone, signal));
  feature('picking', () => initPicking(root, state, follow, { onDone }, signal));
  feature('threads', () =>
    initThread(
      root,
      state,
      follow,
      sightings,
      { pinBox: (id) => layer?.pinBox(id) ?? null, seen: () => seen.value, drafts, fields },
      signal,
    ),
  );
  const onCreated = (comment: Comment, elements: readonly Element[]) => {
    sightings.adopt(comment, elements);
    upsert(state, comment);
    layer?.refresh();
  };
  feature('the comment box', () =>
    initCommentBox(root, state, follow, { onCreated, drafts, pictures, fields }, signal),
  );
  feature('what waits for a yes or no', () => initApprovals(root, state, signal));
  feature('what agents ask', () => initAsked(root, state, signal));
  feature('what agents answered', () => initAnswered(root, state, signal));
  feature('messages to the person', () => initNotice(root, state, signal));

  look.soon(false);
  return {
    pictures,
    soon: () => look.soon(false),
    arrived: look.arrived,
    hubCame: look.hubCame,
    filesChanged: look.filesChanged,
    jump: (commentId) => jumpTo(root, state, follow, sightings, commentId),
    settle: ({ commentId, at, act }) => {
      const comment = state.here.value.find(({ id }) => id === commentId);
      if (!comment || at >= comment.targets.length) {
        state.notice.value = {
          kind: 'error',
          text: 'That comment is not on this page. Go to its page first.',
        };
      } else if (act === 'confirm') void confirmSame(state, sightings, comment);
      else if (act === 'point') pickFor(state, commentId, at);
      else state.opened.value = commentId;
    },
  };
}

/** What changes what is shown. */
type Shown = Exclude<
  PageMessage,
  { type: 'begin_picture' | 'finish_picture' | 'source_changed' | 'hub_came' | 'leave' }
>;

function receive(message: Shown, state: State, parts: Parts): void {
  switch (message.type) {
    case 'comments':
      // At once: an agent's answer shows in the same frame.
      state.comments.value = message.payload.comments;
      break;
    case 'pins_hidden':
      state.pinsHidden.value = message.payload.hidden;
      break;
    case 'answers':
      state.answers.value = message.payload.answers;
      break;
    case 'approvals':
      state.approvals.value = message.payload.approvals;
      break;
    case 'annotations':
      state.annotations.value = message.payload.annotations;
      break;
    case 'point_for_annotation': {
      const { annotationId } = message.payload;
      const request = state.annotations.value.find((one) => one.annotationId === annotationId);
      if (request) pointFor(state, request);
      break;
    }
    case 'connection':
      state.connection.value = message.payload.connection;
      break;
    case 'set_picking':
      if (!message.payload.picking) stopPicking(state);
      else if (!state.picking.value) startPicking(state, { kind: 'comment' });
      break;
    case 'jump_to':
      parts.jump(message.payload.commentId);
      break;
    case 'settle':
      parts.settle(message.payload);
      break;
    default:
      message satisfies never;
  }
}
