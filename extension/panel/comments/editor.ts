/** The one text being written in the list: an edit of a comment or a reply to it. Unsaved text outlives its box. */
import { signal } from '@preact/signals';
import type { Comment } from '../../generated/Comment';
import { newId } from '../../new-id';
import { asSentence } from '../notices/notices';
import type { CommentActions } from './comment-actions';

export type EditorKind = 'edit' | 'reply';

export interface OpenEditor {
  commentId: string;
  kind: EditorKind;
  text: string;
  /** The revision and the text that the person has seen; an edit replaces only what was seen. */
  baseRevision: number;
  seenText: string;
  /** Chosen when a reply begins, so that sending it again after a failure does not say it twice. */
  replyId: string;
  saving: boolean;
  /** Why the last try failed. */
  error: string;
}

export class Editor {
  readonly open = signal<OpenEditor | null>(null);
  /** Unsaved texts of editors that another one replaced. */
  #left = new Map<string, OpenEditor>();

  constructor(
    private readonly actions: CommentActions,
    private readonly afterClose: (commentId: string) => void,
  ) {}

  start(comment: Comment, kind: EditorKind): void {
    const now = this.open.peek();
    if (now?.saving || (now?.commentId === comment.id && now.kind === kind)) return;
    if (now) this.#left.set(`${now.kind} ${now.commentId}`, now);
    this.open.value = this.#left.get(`${kind} ${comment.id}`) ?? {
      commentId: comment.id,
      kind,
      text: kind === 'edit' ? comment.text : '',
      baseRevision: comment.revision,
      seenText: comment.text,
      replyId: newId('r_'),
      saving: false,
      error: '',
    };
  }

  write(text: string): void {
    const now = this.open.peek();
    if (now) this.open.value = { ...now, text };
  }

  /** Drops the text. */
  cancel(): void {
    const now = this.open.peek();
    if (now && !now.saving) this.#close(now);
  }

  async save(comment: Comment): Promise<void> {
    const now = this.open.peek();
    if (!now || now.saving || now.commentId !== comment.id) return;
    const text = now.text.trim();
    if (text === '') {
      this.open.value = { ...now, error: 'Write something first, or cancel.' };
      return;
    }
    if (now.kind === 'edit' && text === comment.text) {
      this.#close(now);
      return;
    }
    if (now.kind === 'edit' && comment.text !== now.seenText) {
      const error = `Somebody changed this text meanwhile. It now says “${comment.text}”. Save again to replace it with yours.`;
      this.open.value = { ...now, error, baseRevision: comment.revision, seenText: comment.text };
      return;
    }
    this.open.value = { ...now, saving: true, error: '' };
    try {
      if (now.kind === 'edit') await this.actions.edit(comment, text, now.baseRevision);
      else await this.actions.reply(comment, now.replyId, text);
      this.#close(now);
    } catch (error) {
      this.open.value = {
        ...now,
        saving: false,
        error: asSentence(error),
      };
    }
  }

  #close(editor: OpenEditor): void {
    this.#left.delete(`${editor.kind} ${editor.commentId}`);
    this.open.value = null;
    this.afterClose(editor.commentId);
  }
}
