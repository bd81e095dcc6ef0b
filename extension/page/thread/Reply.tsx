/**
 * The field in which a person answers in a comment's thread. What is not sent is kept, over closing and reloading too.
 */
import { useRef, useState } from 'preact/hooks';
import { newId } from '../../new-id';
import { type Drafts, placeHere } from '../text-field/drafts';
import type { Fields } from '../text-field/field-frame';
import { TextField } from '../text-field/text-field';

interface Props {
  commentId: string;
  drafts: Drafts;
  fields: Fields;
  /** Resolves to whether it was taken. `id` makes a reply sent twice count once. */
  send: (id: string, text: string) => Promise<boolean>;
  onInput: () => void;
}

export function Reply({ commentId, drafts, fields, send, onInput }: Props) {
  const [place] = useState(() => placeHere(`reply:${commentId}`));
  const [text, setText] = useState(() => drafts.of(place));
  const [sending, setSending] = useState(false);
  const id = useRef(newId('r_'));
  const submit = async () => {
    if (sending || !text.trim()) return;
    setSending(true);
    if (await send(id.current, text.trim())) {
      id.current = newId('r_');
      drafts.keep(place, '');
      setText('');
    }
    setSending(false);
  };
  return (
    <div class="reply-box">
      <TextField
        fields={fields}
        testid="thread-reply-input"
        label="Reply"
        placeholder="Reply…"
        rows={1}
        isSmall
        isReadOnly={sending}
        value={text}
        place={place}
        onOpen={() => drafts.opened(place)}
        onText={(value, typed) => {
          setText(value);
          drafts.keep(place, value, typed);
          onInput();
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
          event.preventDefault();
          event.stopPropagation();
          void submit();
        }}
      />
      {text.trim() !== '' && (
        <button
          type="button"
          class="button"
          data-testid="thread-reply-send"
          data-part
          title="Ctrl/Cmd+Enter"
          aria-disabled={sending}
          onClick={() => void submit()}
        >
          {sending ? 'Sending…' : 'Reply'}
        </button>
      )}
    </div>
  );
}
