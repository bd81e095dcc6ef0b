/** A text field of ours: in a frame that the page cannot look into, or, where the page allows none, in the page with a word about it. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { WarningIcon } from '../design/icons';
import { type FieldLook, labelOf } from '../field/protocol';
import { type FieldFrame, type Fields, focusPart } from './field-frame';
import { PlainField } from './plain-field';
import { ownKey } from './trust';

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
  /** The person changed the text. */
  onText: (text: string) => void;
  onKeyDown?: (event: KeyboardEvent) => void;
}

export function TextField(props: TextFieldProps) {
  return (
    <>
      {props.fields.areRefused.value ? <InPage {...props} /> : <InFrame {...props} />}
      {props.value.length >= MAX_LENGTH && (
        <p class="problem" role="alert" data-testid="text-full">
          <WarningIcon /> <span>The text is full at 20,000 characters. Anything beyond is left out.</span>
        </p>
      )}
    </>
  );
}

function InFrame(props: TextFieldProps) {
  const slot = useRef<HTMLDivElement>(null);
  const frame = useRef<FieldFrame | null>(null);
  const latest = useRef(props);
  latest.current = props;
  /** What the field holds, as far as we know. */
  const known = useRef<string | null>(null);

  useLayoutEffect(() => {
    if (!slot.current) return;
    const { fields, testid, label, isSmall, takesFocus } = latest.current;
    const made = fields.take(slot.current);
    frame.current = made;
    made.element.dataset.testid = testid;
    made.element.title = label;
    made.element.classList.toggle('small', isSmall === true);
    made.listen({
      onText: (text) => {
        known.current = text;
        latest.current.onText(text);
      },
      onKey: (key) => made.element.dispatchEvent(ownKey(key)),
    });
    made.element.addEventListener('keydown', (event) => latest.current.onKeyDown?.(event));
    if (takesFocus) focusPart(made.element);
    return () => {
      fields.hadFocus = fields.areRefused.peek() && made.hasFocus();
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

function InPage(props: TextFieldProps) {
  const { fields, testid, label, placeholder, rows, isReadOnly, value, onText, onKeyDown } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const { isSmall, takesFocus } = props;
  useLayoutEffect(() => {
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
