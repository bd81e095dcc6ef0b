/**
 * A text field of ours: in a frame that the page cannot look into, or, where the page allows none, in the page with a
 * word about it. What was written under protection comes into the page only when the person says so.
 */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { WarningIcon } from '../../design/icons';
import { type FieldLook, labelOf } from '../../field/protocol';
import type { Typed } from '../../state/draft';
import { focusPart } from '../host/focus';
import { ownKey } from '../host/trust';
import type { DraftPlace } from './drafts';
import type { FieldFrame, Fields } from './field-frame';
import { PlainField } from './plain-field';

/** Of the window's height: what a field grows to. */
const TALLEST = 0.4;
/** Longest text that is taken, UTF-16 units: the core's limit for a comment and a reply is as many characters. */
const MAX_LENGTH = 20_000;

export interface TextFieldProps {
  fields: Fields;
  testid: string;
  label: string;
  placeholder?: string;
  rows: number;
  isReadOnly?: boolean;
  /** One line at first. */
  isSmall?: boolean;
  /** Gets the focus when it comes. */
  takesFocus?: boolean;
  value: string;
  /** Where a text belongs that is kept before it is sent. */
  place?: DraftPlace;
  /** The person changed the text; `typed` in a frame, which tells the background itself. */
  onText: (text: string, typed?: Typed) => void;
  /** A field is opened: at first, and in place of one that was there. */
  onOpen?: () => void;
  onKeyDown?: (event: KeyboardEvent) => void;
}

type Place = 'frame' | 'page' | 'asks';

export function TextField(props: TextFieldProps) {
  const { fields, value } = props;
  const instead = (text: string): Place => (fields.mayStandInPage(text) ? 'page' : 'asks');
  // Each field decides when it comes, and keeps to it: a draft is not moved because another field was refused.
  const [place, setPlace] = useState<Place>(() => (fields.areRefused ? instead(value) : 'frame'));
  return (
    <>
      {place === 'frame' && <InFrame {...props} onLost={(text) => setPlace(instead(text))} />}
      {place === 'page' && <InPage {...props} />}
      {place === 'asks' && <Asks {...props} setPlace={setPlace} />}
      {props.value.length >= MAX_LENGTH && (
        <p class="problem" role="alert" data-testid="text-full">
          <WarningIcon /> <span>The text is full at 20,000 characters. Anything beyond is left out.</span>
        </p>
      )}
    </>
  );
}

function InFrame(props: TextFieldProps & { onLost: (text: string) => void }) {
  const slot = useRef<HTMLDivElement>(null);
  const frame = useRef<FieldFrame | null>(null);
  const latest = useRef(props);
  latest.current = props;
  /** What the field holds, as far as we know. */
  const known = useRef<string | null>(null);

  useLayoutEffect(() => {
    if (!slot.current) return;
    const { fields, testid, label, isSmall, takesFocus, place } = latest.current;
    const made = fields.take(slot.current);
    if (place) made.place(place);
    latest.current.onOpen?.();
    frame.current = made;
    made.element.dataset.testid = testid;
    made.element.title = label;
    made.element.classList.toggle('small', isSmall === true);
    let isGone = false;
    made.listen({
      onText: (text, typed) => {
        // Only a text that is kept is of any use then.
        if (isGone && !place) return;
        known.current = text;
        latest.current.onText(text, typed);
      },
      onOpen: () => latest.current.onOpen?.(),
      onLost: () => latest.current.onLost(known.current || latest.current.value),
      onKey: (key) => made.element.dispatchEvent(ownKey(key)),
    });
    made.element.addEventListener('keydown', (event) => latest.current.onKeyDown?.(event));
    if (takesFocus || fields.hadFocus) focusPart(made.element);
    fields.hadFocus = false;
    return () => {
      isGone = true;
      fields.hadFocus = made.isLost && made.hasFocus();
      made.remove();
    };
  }, []);

  useLayoutEffect(() => {
    frame.current?.look(lookOf(props));
    if (props.value === known.current) return;
    known.current = props.value;
    frame.current?.write(props.value);
  });

  return <div class="field" ref={slot} />;
}

function Asks({ fields, label, setPlace }: TextFieldProps & { setPlace: (place: Place) => void }) {
  const box = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    // Not a button: the next key of somebody who is writing would press it.
    if (fields.hadFocus) box.current?.focus({ preventScroll: true });
    fields.hadFocus = false;
  }, []);
  const go = (place: Place) => {
    fields.hadFocus = true;
    setPlace(place);
  };
  return (
    <section class="field" aria-label={label} tabIndex={-1} ref={box} data-testid="field-asks">
      <p class="problem" role="alert">
        <WarningIcon />{' '}
        <span>
          The protected text field can’t load on this page right now. What you wrote is kept. Try again, or
          write in the page itself: this page’s scripts can then read the text.
        </span>
      </p>
      <div class="answers">
        <button type="button" class="button" data-testid="field-again" data-part onClick={() => go('frame')}>
          Try again
        </button>
        <button type="button" class="button" data-testid="field-in-page" data-part onClick={() => go('page')}>
          Write in the page itself
        </button>
      </div>
    </section>
  );
}

function InPage(props: TextFieldProps) {
  const { fields, testid, label, placeholder, rows, isReadOnly, value, onText, onKeyDown } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const { isSmall, takesFocus } = props;
  useLayoutEffect(() => {
    props.onOpen?.();
    if (takesFocus || fields.hadFocus) field.current?.focus({ preventScroll: true });
    fields.hadFocus = false;
  }, []);
  return (
    <div class="field">
      <PlainField
        data-testid={testid}
        aria-label={label}
        placeholder={placeholder ?? ''}
        rows={rows}
        maxLength={MAX_LENGTH}
        class={isSmall ? 'small' : ''}
        value={value}
        readOnly={isReadOnly === true}
        field={field}
        onText={onText}
        {...(onKeyDown ? { onKeyDown } : {})}
      />
      <p class="hint" data-testid="field-warning" role="note">
        This page’s scripts can read what you type here.
      </p>
    </div>
  );
}

function lookOf(props: TextFieldProps): FieldLook {
  return {
    label: labelOf(props.label),
    placeholder: labelOf(props.placeholder ?? ''),
    rows: props.rows,
    maxLength: MAX_LENGTH,
    isReadOnly: props.isReadOnly === true,
    isSmall: props.isSmall === true,
    tallest: Math.round(innerHeight * TALLEST),
  };
}
