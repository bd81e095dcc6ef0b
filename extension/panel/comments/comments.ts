/** What the comments view knows and a person does in it, but for the changes of a comment itself. No markup. */
import type { ReadonlySignal, Signal } from '@preact/signals';
import { REDACTED } from '../../capture/redact';
import type { Comment } from '../../generated/Comment';
import { attempt } from '../notices/attempt';
import type { Notices } from '../notices/notices';
import type { Clock } from '../platform/clock';
import type { Platform } from '../platform/platform';
import { sameOrigin } from '../tab/page-address';
import type { WatchedTab } from '../tab/tab';
import { CommentActions } from './comment-actions';
import { Editor } from './editor';
import { Exchange } from './exchange';
import type { Scope } from './list';
import { Listing } from './listing';
import { SeenAnswers } from './seen-answers';

export class Comments {
  readonly list: Listing;
  readonly actions: CommentActions;
  readonly editor: Editor;
  readonly exchange: Exchange;
  readonly seenAnswers: SeenAnswers;

  constructor(
    private readonly platform: Platform,
    readonly tab: WatchedTab,
    private readonly notices: Notices,
    readonly clock: Clock,
    scope: Signal<Scope>,
    /** Whether anybody can see the panel. */
    isVisible: ReadonlySignal<boolean>,
  ) {
    this.list = new Listing(tab, scope);
    this.actions = new CommentActions(platform, tab, notices);
    this.editor = new Editor(this.actions, (commentId) => this.list.focus(commentId));
    this.exchange = new Exchange(platform, tab, notices, () => scope.peek());
    this.seenAnswers = new SeenAnswers(platform, tab, isVisible);
  }

  /** Deletes, and leaves the focus on the next comment. */
  async delete(comment: Comment): Promise<void> {
    const drawn = this.list.drawn.peek();
    const at = drawn.findIndex(({ id }) => id === comment.id);
    const next = drawn[at + 1] ?? drawn[at - 1];
    if ((await this.actions.delete(comment)) && next) this.list.focus(next.id);
  }

  /** Shows the element in the page; when the comment is of another page of the site, goes there first. */
  jump(comment: Comment): Promise<void> {
    if (comment.pathname !== this.tab.address.peek().pathname) {
      return this.#ask(async (tabId) => {
        if (!sameOrigin(comment.url, this.tab.state.peek()?.url ?? '')) {
          throw new Error(`This comment was made on ${comment.url}. Open that page to see its element.`);
        }
        if (comment.url.includes(REDACTED)) {
          throw new Error(
            "The address of this comment's page holds a secret that is not kept. " +
              'Open that page yourself to see its element.',
          );
        }
        await this.platform.navigate(tabId, comment.url);
      });
    }
    return this.#ask((tabId) => this.platform.ask('jump_to', { tabId, commentId: comment.id }));
  }

  /**
   * Lets the page settle what one of a comment's targets is: confirm it, point at it again, or choose among several.
   */
  settle(comment: Comment, at: number, act: 'confirm' | 'point' | 'choose'): Promise<void> {
    this.actions.repinning(comment);
    return this.#ask((tabId) => this.platform.ask('settle', { tabId, commentId: comment.id, at, act }));
  }

  /** data: URL of the picture kept with a comment; null when there is none any more. */
  picture(commentId: string): Promise<string | null> {
    return this.platform.ask('get_screenshot', { commentId });
  }

  /** Opens a link of a reply in a new tab. */
  readonly openLink = (url: string): void => this.platform.openLink(url);

  end(): void {
    this.seenAnswers.end();
  }

  #ask(work: (tabId: number) => Promise<unknown>): Promise<void> {
    return attempt(this.tab, this.notices, work);
  }
}
