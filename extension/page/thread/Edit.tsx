/**
 * The field in which a person changes a comment's text. What is not saved is kept, over closing and reloading too,
 * until it is cancelled.
 */
import { useRef, useState } from 'preact/hooks';
import type { Comment } from '../../generated/Comment';
import { type Drafts, placeHere } from '../text-field/drafts';
import type { Fields } from '../text-field/field-frame';
import { TextField } from '../text-field/text-field';

interface Props {
  comment: Comment;
  drafts: Drafts;
  fields: Fields;
  /** A change of the comment is under way. */
  isBusy: boolean;
  /** Resolves to whether it was taken. */
  save: (text: string) => Promise<boolean>;
  /** It was saved or cancelled. */
  onDone: () => void;
}

const placeOf = ({ id }: Comment) => placeHere(`edit:${id}`);

/** Whether an edit of this comment was begun and neither saved nor cancelled. */
export function hasUnsavedEdit(drafts: Drafts, comment: Comment): boolean {
  const kept = drafts.of(placeOf(comment));
  return kept !== '' && kept !== comment.text;
}

export function Edit({ comment, drafts, fields, isBusy, save, onDone }: Props) {
  const [place] = useState(() => placeOf(comment));
  const [text, setText] = useState(() => drafts.of(place) || comment.text);
  const isDone = useRef(false);
  const finish = () => {
    isDone.current = true;
    drafts.keep(place, '');
    onDone();
  };
  const submit = async () => {
    if (isBusy || !text.trim()) return;
    if (await save(text.trim())) finish();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const isSubmit = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
    if (!isSubmit && event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    if (isSubmit) void submit();
    else finish();
  };
  return (
    <div class="edit">
      <TextField
        fields={fields}
        testid="thread-edit-input"
        label="Comment"
        rows={3}
        takesFocus
        isReadOnly={isBusy}
        value={text}
        place={place}
        onOpen={() => drafts.opened(place)}
        onText={(value, typed) => {
          setText(value);
          // What comes late is of a text that is kept no more.
          drafts.keep(place, isDone.current ? '' : value, typed);
        }}
        onKeyDown={onKeyDown}
      />
      <div class="row">
        <button type="button" class="button" data-testid="thread-edit-cancel" data-part onClick={finish}>
          Cancel
        </button>
        <button
          type="button"
          class="button primary"
          data-testid="thread-edit-save"
          data-part
          aria-disabled={isBusy || !text.trim()}
          onClick={() => void submit()}
        >
          Save
        </button>
      </div>
    </div>
  );
}
