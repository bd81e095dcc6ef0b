/**
 * A text field in the page itself, where the page lets no frame of ours stand. What it holds is what the person put
 * there: what a page's script writes into it is taken out again. The page can read it.
 */
import type { JSX, Ref } from 'preact';
import { useRef } from 'preact/hooks';
import { isForged } from '../host/announced';

type Props = Omit<JSX.IntrinsicElements['textarea'], 'ref' | 'value' | 'onInput' | 'onBeforeInput'> & {
  value: string;
  /** The person changed the text. */
  onText: (text: string) => void;
  field?: Ref<HTMLTextAreaElement>;
};

export function PlainField({ value, onText, field, ...rest }: Props) {
  const known = useRef(value);
  known.current = value;
  return (
    <textarea
      {...rest}
      {...(field ? { ref: field } : {})}
      value={value}
      // What came in without any event must not be kept with what the person writes next.
      onBeforeInput={(event) => restore(event.currentTarget, known.current)}
      onInput={(event) => {
        if (isForged(event)) return restore(event.currentTarget, known.current);
        known.current = event.currentTarget.value;
        onText(known.current);
      }}
    />
  );
}

/** Takes out what was written, and puts the caret back to where the same text follows it. */
function restore(field: HTMLTextAreaElement, text: string): void {
  const { value, selectionEnd } = field;
  if (value === text) return;
  const caret = Math.max(0, text.length - (value.length - selectionEnd));
  field.value = text;
  field.setSelectionRange(caret, caret);
}
