/** The box in which a comment is edited or answered. Ctrl/Cmd+Enter saves, Esc drops. */

import { useLayoutEffect, useRef } from 'preact/hooks';
import { commentName } from '../../design/comment-name';
import type { Comment } from '../../generated/Comment';
import type { Comments } from './comments';
import type { OpenEditor } from './editor';

export interface TextEditorProps {
  comments: Comments;
  comment: Comment;
  editor: OpenEditor;
}

export function TextEditor({ comments, comment, editor }: TextEditorProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  const { editor: writing } = comments;
  // With the drawing, not after it: what is typed right after the click belongs here.
  useLayoutEffect(() => {
    const element = box.current;
    element?.focus();
    element?.setSelectionRange(element.value.length, element.value.length);
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter and Esc of an input method belong to it.
    if (event.isComposing) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void writing.save(comment);
    } else if (event.key === 'Escape') {
      event.preventDefault();
      writing.cancel();
    }
    event.stopPropagation();
  };
  const edits = editor.kind === 'edit';
  const errorId = `error-${comment.id}`;
  return (
    <form
      class="editor"
      onSubmit={(event) => {
        event.preventDefault();
        void writing.save(comment);
      }}
    >
      <textarea
        ref={box}
        class="input"
        rows={3}
        aria-label={`${edits ? 'Text of' : 'Reply to'} ${commentName(comment)}`}
        placeholder={edits ? '' : 'Reply…'}
        data-testid={`input-${comment.id}`}
        value={editor.text}
        readOnly={editor.saving}
        aria-invalid={editor.error !== ''}
        aria-describedby={editor.error ? errorId : undefined}
        onInput={(event) => writing.write(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {editor.error && (
        <p class="error" id={errorId} role="alert">
          {editor.error}
        </p>
      )}
      <div class="row end">
        <button
          type="button"
          class="button small"
          data-testid={`cancel-${comment.id}`}
          onClick={() => writing.cancel()}
        >
          Cancel
        </button>
        <button
          type="submit"
          class="button small primary"
          data-testid={`save-${comment.id}`}
          title="Ctrl/Cmd+Enter"
          aria-disabled={editor.saving}
        >
          {editor.saving ? 'Saving…' : edits ? 'Save' : 'Reply'}
        </button>
      </div>
    </form>
  );
}
