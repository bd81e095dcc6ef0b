/** What a person wrote, as it is; a long text is shortened until the person asks for all of it. */
import { useSignal } from '@preact/signals';

/** Characters. */
const LONG_TEXT = 600;

export function LongText({ text }: { text: string }) {
  const whole = useSignal(false);
  const long = text.length > LONG_TEXT && !whole.value;
  return (
    <p class="text">
      {long ? `${text.slice(0, LONG_TEXT)}… ` : text}
      {long && (
        <button
          type="button"
          class="button quiet small"
          onClick={() => {
            whole.value = true;
          }}
        >
          Show all
        </button>
      )}
    </p>
  );
}
