import { LinkLost, NoAnswer } from '../background/link';
import type { Answer } from '../generated/Answer';
import type { Comment } from '../generated/Comment';
import type { ErrorCode } from '../generated/ErrorCode';
import type { Request } from '../generated/Request';
import { loadCoreForTest } from './core';

const core = loadCoreForTest();

/** A hub as the protocol describes it: applies each message id once, by the core's own rules. */
export class Hub {
  comments = new Map<string, Comment>();
  seen: { id: string; request: Request }[] = [];
  #answers = new Map<string, Answer>();
  /** What goes wrong with the next requests, in order. */
  faults: ('lost before' | 'lost after' | ErrorCode)[] = [];
  /** What goes wrong with every request that says this. */
  poison: { word: string; fault: 'no answer' | 'unsendable' | ErrorCode } | undefined;

  async send(request: Request, id: string): Promise<Answer> {
    const fault = this.faults.shift();
    if (this.poison && JSON.stringify(request).includes(this.poison.word)) {
      if (this.poison.fault === 'no answer') throw new NoAnswer('late');
      if (this.poison.fault === 'unsendable') throw new Error('Message length exceeded');
      return error(this.poison.fault);
    }
    if (fault === 'lost before') throw new LinkLost('lost');
    if (fault !== undefined && fault !== 'lost after') return error(fault);
    this.seen.push({ id, request });
    const answer = this.#answers.get(id) ?? this.#apply(request);
    this.#answers.set(id, answer);
    if (fault === 'lost after') throw new NoAnswer('lost');
    return answer;
  }

  #apply(request: Request): Answer {
    if (request.type === 'create_comment') {
      this.comments.set(request.payload.comment.id, request.payload.comment);
      return { type: 'comment', payload: { comment: request.payload.comment } };
    }
    if (request.type === 'change_comment') {
      const { commentId, change, at } = request.payload;
      const known = this.comments.get(commentId);
      if (!known) return error('unknown_comment');
      try {
        const comment = core.applyChange(known, change, { kind: 'person' }, at);
        this.comments.set(commentId, comment);
        return { type: 'comment', payload: { comment } };
      } catch {
        return error('conflict');
      }
    }
    if (request.type === 'import_comments') {
      for (const comment of request.payload.comments) this.comments.set(comment.id, comment);
    }
    return { type: 'imported', payload: { added: 0, updated: 0, skipped: 0 } };
  }

  /** Somebody else's change. */
  change(id: string, text: string): Comment {
    const known = this.comments.get(id) as Comment;
    const change = { kind: 'edit', text, baseRevision: known.revision } as const;
    const comment = core.applyChange(known, change, { kind: 'agent', name: 'other' }, 5_000);
    this.comments.set(id, comment);
    return comment;
  }
}

export const error = (code: ErrorCode): Answer => ({
  type: 'error',
  payload: { code, message: `it was ${code}`, nextStep: 'Do something.' },
});
