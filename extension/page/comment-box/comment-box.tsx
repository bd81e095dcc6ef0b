/** The box in which a person says what should change about the picked elements. */
import { useComputed } from '@preact/signals';
import { render } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { untilAnswered } from '../../ask-again';
import { viewportBox } from '../../capture/geometry';
import { probePicked } from '../../capture/probe';
import { beginningOf, redactUrl } from '../../capture/redact';
import { CloseIcon, WarningIcon } from '../../design/icons';
import type { Comment } from '../../generated/Comment';
import { newId } from '../../new-id';
import type { Typed } from '../../state/draft';
import { type Described, describe } from '../describing/describe';
import { selectionOf } from '../describing/selection';
import type { Root } from '../host/root';
import { ask } from '../messaging/link';
import { sentence } from '../messaging/sentence';
import { NoticeInCard } from '../notices/notice';
import type { Pictures } from '../pictures/picture';
import { Floating } from '../positioning/floating';
import type { Follow } from '../positioning/follow';
import { nameOf } from '../positioning/outline';
import { choose, stopPicking } from '../state/pick';
import type { State } from '../state/state';
import type { Drafts } from '../text-field/drafts';
import type { Fields } from '../text-field/field-frame';
import { TextField } from '../text-field/text-field';
import { type Composing, firstText, placeFor, tellKept, wayBack, whileSending } from './kept-text';
import { SubmitButtons } from './submit-buttons';

const FIELD = '.field :is(iframe, textarea)';
/** Browsers give a picture of a page only to what the person started by the button or the shortcut. */
const NO_PICTURE = ' No picture: start with opentoolbar’s toolbar button or its shortcut to add one.';

export interface CommentBoxOptions {
  /** The comment exists now; these are its elements. */
  onCreated: (comment: Comment, elements: readonly Element[]) => void;
  drafts: Drafts;
  pictures: Pictures;
  fields: Fields;
}

export function initCommentBox(
  root: Root,
  state: State,
  follow: Follow,
  options: CommentBoxOptions,
  signal: AbortSignal,
): void {
  const layer = root.layer('boxes');
  render(<Host state={state} follow={follow} options={options} />, layer);
  signal.addEventListener('abort', () => render(null, layer));
}

interface Props {
  state: State;
  follow: Follow;
  options: CommentBoxOptions;
}

function Host(props: Props) {
  const pick = props.state.pick.value;
  if (pick.step !== 'composing') return null;
  // Another box where the text is another one: what is brought back may be for something else than the open box.
  return <CommentBox key={placeFor(props.state, pick).key} {...props} pick={pick} />;
}

function CommentBox({ state, follow, options, pick }: Props & { pick: Composing }) {
  const { purpose, elements } = pick;
  const [first] = elements;
  const answering = purpose.kind === 'answer' ? purpose.request : null;
  const [place] = useState(() => placeFor(state, pick));
  const { drafts, pictures } = options;
  const [hasEmbedded, setHasEmbedded] = useState(false);
  const [text, setText] = useState(() => firstText(state, drafts, place));
  const [saving, setSaving] = useState(false);
  const isSaved = useRef(false);
  const [problem, setProblem] = useState('');
  const described = useRef<Promise<Described> | null>(null);
  /** Of what is being sent: the same text that was not heard to be sent is the same comment, the same message. */
  const unsent = useRef<{ id: string; text: string } | null>(null);
  const where = useComputed(() => storedWhere(state));

  useEffect(() => {
    const end = new AbortController();
    // The core describes while the person types; a failure is told when it matters.
    described.current = describe(elements, end.signal);
    described.current.then(
      (known) => !end.signal.aborted && setHasEmbedded(known.hasEmbedded),
      () => {},
    );
    return () => end.abort();
  }, [elements]);

  // However the box goes: by its own buttons, by the panel, or because an element is to be picked for something else.
  const last = useRef(pick);
  last.current = pick;
  const isGone = useRef(false);
  /** What is being saved or sent tells what becomes of it itself. */
  const isUnderWay = useRef(false);
  useEffect(
    () => () => {
      isGone.current = true;
      if (!isUnderWay.current) tellKept(state, drafts, place, last.current);
    },
    [],
  );

  const write = (value: string, typed?: Typed) => {
    setText(value);
    // What comes late is of a text that is kept no more.
    drafts.keep(place, isSaved.current ? '' : value, typed);
    follow.wake();
  };

  const cancel = () => choose(state, []);

  /**
   * Runs `work` with what the core says of the elements; a failure keeps the box and its text. `notDone`: what is said
   * then to who closed the box meanwhile.
   */
  const withTargets = async (notDone: string, work: (described: Described) => Promise<void>) => {
    setSaving(true);
    setProblem('');
    isUnderWay.current = true;
    try {
      await whileSending(place, () =>
        untilAnswered(async () => {
          const anew = () => {
            described.current = describe(elements, new AbortController().signal);
            return described.current;
          };
          // What failed while the person wrote may have met a background that was about to end.
          await work(await (described.current ?? anew()).catch(anew));
        }),
      );
    } catch (error) {
      // The next try describes anew: the page may have changed.
      described.current = null;
      isSaved.current = false;
      isUnderWay.current = false;
      setProblem(sentence(error));
      setSaving(false);
      if (isGone.current) {
        const action = drafts.of(place) ? { action: wayBack(state, last.current) } : {};
        state.notice.value = { kind: 'error', text: `${notDone} ${sentence(error)}`, ...action };
      }
    }
  };

  /** What was written is saved or sent. Picking for something else, and what was written since, stay. */
  const done = () => {
    isSaved.current = true;
    const now = state.pick.peek();
    const isSame = drafts.of(place).trim() === text.trim();
    const isOpenHere = now.step === 'composing' && placeFor(state, now).key === place.key;
    if (now === last.current || (isOpenHere && isSame)) stopPicking(state);
    if (isSame) drafts.keep(place, '');
  };

  const idFor = (prefix: 'c_' | 'm_') => {
    if (unsent.current?.text !== text || !unsent.current.id.startsWith(prefix))
      unsent.current = { id: newId(prefix), text };
    return unsent.current.id;
  };

  const pictureOf = () => ({ elements, showsEmbedded: state.showsEmbedded.peek() });

  const save = async () => {
    if (saving || !text.trim()) return;
    await withTargets('The comment is not saved.', async ({ targets }) => {
      const id = idFor('c_');
      const { comment, picture } = await pictures.during(id, pictureOf(), () =>
        ask('create_comment', { id, targets, text: text.trim(), ...pageFacts(), picture: true }),
      );
      options.onCreated(comment, elements);
      done();
      const noPicture = picture === 'not_allowed' ? NO_PICTURE : '';
      state.notice.value = {
        kind: 'info',
        text: `Comment saved${forWhom(state)}${noPicture}`,
      };
    });
  };

  /** Selection and words in one go. What an agent asked for may go without words. */
  const send = async () => {
    if (saving || (!text.trim() && !answering)) return;
    await withTargets('Nothing is sent.', async ({ targets }) => {
      const selection = selectionOf(first, targets);
      const id = idFor('m_');
      const { picture } = await pictures.during(id, pictureOf(), () =>
        ask('send_to_chat', {
          id,
          selection,
          text: text.trim(),
          ...pageFacts(),
          picture: true,
          ...(answering ? { annotationId: answering.annotationId } : {}),
        }),
      );
      done();
      state.notice.value = {
        kind: 'info',
        text: `Sent to ${answering?.agent ?? 'chat'}${forWhom(state)}${picture === 'not_allowed' ? NO_PICTURE : ''}`,
        action: {
          label: 'Open the panel',
          run: () => {
            ask('open_panel', { view: 'chat' }).catch((error) => {
              state.notice.value = { kind: 'error', text: sentence(error) };
            });
          },
        },
      };
    });
  };

  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.isComposing) {
      event.preventDefault();
      void (answering || event.shiftKey ? send() : save());
    }
  };

  return (
    <Floating
      testid="comment-box"
      className="comment-box"
      label={elements.length > 1 ? `Comment on ${elements.length} elements` : 'Comment on the picked element'}
      follow={follow}
      around={() => viewportBox(first)}
      focus={FIELD}
      onKey={onKey}
      onEscape={cancel}
    >
      <div class="card-head">
        <Chips elements={elements} />
        <button
          type="button"
          class="icon-button"
          aria-label="Close, and keep the text"
          data-part
          onClick={cancel}
        >
          <CloseIcon />
        </button>
      </div>
      <TextField
        fields={options.fields}
        testid="comment-input"
        label={answering ? answering.message : 'What should change?'}
        placeholder={answering ? 'Anything to say about it?' : 'What should change?'}
        rows={3}
        value={text}
        place={place}
        isReadOnly={saving}
        onOpen={() => drafts.opened(place)}
        onText={write}
      />
      {problem && (
        <p class="problem" role="alert" data-testid="comment-problem">
          <WarningIcon /> <span>{problem}</span>
        </p>
      )}
      {hasEmbedded && <EmbeddedChoice state={state} />}
      <NoticeInCard state={state} follow={follow} focus={FIELD} />
      <footer class="card-foot">
        <span class="hint" data-testid="comment-where">
          {where.value}
        </span>
        <button type="button" class="button" data-testid="comment-cancel" data-part onClick={cancel}>
          Cancel
        </button>
        <SubmitButtons
          answering={answering}
          isEmpty={!text.trim()}
          isSaving={saving}
          hasFailed={problem !== ''}
          onSave={() => void save()}
          onSend={() => void send()}
        />
      </footer>
    </Floating>
  );
}

/** Whether pictures of this site show what other sites put into it. Remembered. */
function EmbeddedChoice({ state }: { state: State }) {
  const choose = () => {
    const showsEmbedded = !state.showsEmbedded.peek();
    state.showsEmbedded.value = showsEmbedded;
    ask('show_embedded', { showsEmbedded }).catch((error) => {
      state.notice.value = { kind: 'error', text: sentence(error) };
    });
  };
  // No `<input>`: a click reaches our parts as a copy of itself, and would tick it twice.
  return (
    <button
      type="button"
      class="other-sites"
      aria-pressed={state.showsEmbedded.value}
      data-testid="show-embedded"
      data-part
      onClick={choose}
    >
      <span aria-hidden="true">{state.showsEmbedded.value ? '☑' : '☐'}</span>
      Show frames of other sites in the picture
    </button>
  );
}

function Chips({ elements }: { elements: readonly Element[] }) {
  // Once: the page's own code runs while it is asked, and this is drawn with each letter that is typed.
  const facts = useMemo(() => probePicked(elements), [elements]);
  return (
    <ul class="chips" aria-label="Picked elements">
      {elements.map((element, at) => (
        <li key={at} class="chip">
          {elements.length > 1 && <span class="chip-number">{at + 1}</span>}
          <span class="chip-tag">{nameOf(element)}</span>
          {facts[at]?.component && <span class="chip-component">{facts[at].component}</span>}
        </li>
      ))}
    </ul>
  );
}

const pageFacts = () => ({
  url: redactUrl(location.href),
  title: beginningOf(document.title, 300).toWellFormed(),
});

/** The end of a sentence that says that something was saved or sent. */
function forWhom(state: State): string {
  const { isConnected, project } = state.connection.value ?? {};
  return isConnected && project ? ` for “${project}”.` : `. ${storedWhere(state)}`;
}

/** Where a comment goes, in words. Never says more than the connection knows. */
function storedWhere(state: State): string {
  const connection = state.connection.value;
  if (!connection?.isConnected) return 'Stored in this browser.';
  const project = connection.project;
  return project ? `Goes to “${project}”.` : 'Goes to the host.';
}
