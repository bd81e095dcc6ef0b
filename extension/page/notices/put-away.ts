/**
 * What of the agents' answers the person has put away on this page: of those nothing is shown again, of any other it
 * is. Pure.
 */
import type { Comment } from '../../generated/Comment';
import type { UnseenAnswers } from '../../state/page';

export interface PutAway {
  /** How many answers in the conversation. */
  readonly chat: number;
  /** The latest answer to each comment, by the comment's id. */
  readonly comments: ReadonlyMap<string, string>;
}

export const NOTHING_AWAY: PutAway = { chat: 0, comments: new Map() };

/**
 * What is to be shown: that the agent answered in the conversation, or a comment that it answered. `mark`: another for
 * each answer.
 */
export type AnswerNews = { mark: string; comment?: Comment };

/** `here`: the comments of this page. Null when there is nothing new. */
export function newsOf(answers: UnseenAnswers, here: readonly Comment[], away: PutAway): AnswerNews | null {
  if (answers.chat > away.chat) return { mark: `chat ${answers.chat}` };
  const comment = here.find(
    (one) => answers.comments.includes(one.id) && away.comments.get(one.id) !== latestOf(one),
  );
  return comment ? { mark: `${comment.id} ${latestOf(comment)}`, comment } : null;
}

/** All that there is now is put away. */
export function putAway({ chat, comments }: UnseenAnswers, all: readonly Comment[]): PutAway {
  const those = all.filter(({ id }) => comments.includes(id));
  return { chat, comments: new Map(those.map((one) => [one.id, latestOf(one)])) };
}

/** What was read in the conversation is counted no more: as many again are others. */
export function afterReading(away: PutAway, { chat }: UnseenAnswers): PutAway {
  return chat < away.chat ? { ...away, chat } : away;
}

/** Names an agent's latest answer to a comment: its last reply, and when it resolved it. */
function latestOf({ replies, resolution }: Comment): string {
  const reply = replies.findLast(({ author }) => author.kind === 'agent');
  return `${reply?.id ?? ''} ${resolution?.by.kind === 'agent' ? resolution.at : ''}`;
}
