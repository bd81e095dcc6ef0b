/** What a person does to a comment: each asks the background, says what happened, and can be taken back. */
import { commentName } from '../../design/comment-name';
import type { Comment } from '../../generated/Comment';
import type { CommentChange } from '../../generated/CommentChange';
import { agentStepSince, refusal } from '../../verdict/since';
import type { Notices } from '../notices/notices';
import { type Step, UndoStack } from '../notices/undo';
import type { Platform } from '../platform/platform';
import type { WatchedTab } from '../tab/tab';

export class CommentActions {
  readonly #steps = new UndoStack();
  /** Comments that are being pinned anew on the page because the person asked for it here, as they were before. */
  readonly #repinning = new Map<string, Comment>();

  constructor(
    private readonly platform: Platform,
    private readonly tab: WatchedTab,
    private readonly notices: Notices,
  ) {}

  /** Resolves to whether it was deleted. */
  delete(comment: Comment): Promise<boolean> {
    return this.#reversible(comment, { kind: 'delete' }, 'Deleted', async () => {
      await this.#change(comment.id, { kind: 'restore' });
    });
  }

  resolve(comment: Comment): Promise<boolean> {
    return this.#reversible(comment, { kind: 'resolve' }, 'Resolved', async () => {
      await this.#change(comment.id, { kind: 'reopen' });
    });
  }

  reopen(comment: Comment): Promise<boolean> {
    const summary = comment.resolution?.summary;
    return this.#reversible(comment, { kind: 'reopen' }, 'Reopened', async () => {
      await this.#change(comment.id, { kind: 'resolve', ...(summary === undefined ? {} : { summary }) });
    });
  }

  /** What an agent works on, left or says is ready waits for agents again. Resolves to whether it does. */
  async giveBack(comment: Comment): Promise<boolean> {
    const left = await this.#made(comment, { kind: 'set_stage', stage: 'open' });
    if (!left) return false;
    // Who works on it loses the claim, which nobody but that agent can take again; who ended has none.
    if (comment.stage !== 'review') this.notices.done(`Reopened ${commentName(comment)}.`);
    else
      this.#reversed(comment, left, 'Reopened', async () => {
        await this.#change(comment.id, { kind: 'set_stage', stage: comment.stage });
      });
    return true;
  }

  /** Rejects with a sentence, so that the editor can stay open and keep the text. */
  async edit(comment: Comment, text: string, baseRevision: number): Promise<void> {
    const edited = await this.#change(comment.id, { kind: 'edit', text, baseRevision });
    this.#reversed(comment, edited, 'Edited', async () => {
      await this.#change(comment.id, { kind: 'edit', text: comment.text, baseRevision: edited.revision });
    });
  }

  /** Rejects with a sentence. `id` makes a reply sent twice count once. */
  async reply(comment: Comment, id: string, text: string): Promise<void> {
    await this.#change(comment.id, { kind: 'reply', id, text });
    this.notices.done(`Replied to ${commentName(comment)}.`);
  }

  /** The person decides on the page what this comment is pinned to; `heard` tells when that is done. */
  repinning(comment: Comment): void {
    this.#repinning.set(comment.id, comment);
  }

  /**
   * Fresh comments of the tab: one that was pinned anew can be undone here as well as on the page, and of one that an
   * agent went on with no Undo is offered any more.
   */
  heard(comments: readonly Comment[]): void {
    for (const { step } of this.notices.shown.peek()) if (step?.refused?.()) this.notices.closeStep(step);
    for (const comment of comments) {
      const before = this.#repinning.get(comment.id);
      if (!before || anchorsOf(before) === anchorsOf(comment)) continue;
      this.#repinning.delete(comment.id);
      this.#reversed(before, comment, 'Pinned anew', async () => {
        await this.#change(before.id, { kind: 'repin', targets: before.targets });
      });
    }
  }

  /** Takes back the newest step, or the one of a message. */
  async undo(step?: Step): Promise<void> {
    try {
      const undone = await this.#steps.undo(step);
      if (undone) {
        this.notices.closeStep(undone);
        this.notices.done(`Undone: ${undone.label}.`);
      } else {
        this.notices.done('Nothing to undo.');
      }
    } catch (error) {
      this.notices.failed(error);
    }
  }

  async #change(commentId: string, change: CommentChange): Promise<Comment> {
    const comment = await this.platform.ask('change_comment', { commentId, change });
    this.tab.accept(comment);
    return comment;
  }

  async #reversible(comment: Comment, change: CommentChange, did: string, undo: () => Promise<void>) {
    const left = await this.#made(comment, change);
    if (!left) return false;
    this.#reversed(comment, left, did, undo);
    return true;
  }

  /** The comment after the change, when that was taken; what failed is said. */
  async #made(comment: Comment, change: CommentChange): Promise<Comment | null> {
    try {
      return await this.#change(comment.id, change);
    } catch (error) {
      this.notices.failed(error);
      return null;
    }
  }

  /** `left`: the comment as the step left it. */
  #reversed(comment: Comment, left: Comment, did: string, undo: () => Promise<void>): void {
    const name = commentName(comment);
    const label = `${did} ${name}`;
    const refused = () => {
      const step = agentStepSince(this.tab.state.peek()?.comments ?? [], left);
      return step ? refusal(name, step) : '';
    };
    const step = { label, about: comment.id, refused, undo };
    this.#steps.push(step);
    this.notices.done(`${label}.`, step);
  }
}

function anchorsOf(comment: Comment): string {
  return comment.targets.map(({ anchor }) => anchor).join(' ');
}
