/**
 * Puts the states of the panel's features together. Each part of the panel is given those that it uses, and never this.
 */
import { computed, signal } from '@preact/signals';
import type { AskedView, Sight } from '../state/ports';
import type { TabState } from '../state/tab';
import { Approvals } from './approvals/approvals';
import { Chat } from './chat/chat';
import { Comments } from './comments/comments';
import type { Scope } from './comments/list';
import { news } from './comments/news';
import { HostLink } from './connection/host-link';
import { Pairing } from './connection/pairing/pairing';
import type { Repair } from './frame/Boundary';
import { BrowserShortcuts } from './frame/browser-shortcuts';
import { PageTools } from './frame/page-tools';
import { Sites } from './frame/sites';
import { VIEWS, Views } from './frame/views';
import { ConfigFile } from './gateway/config-file';
import { Clipboard } from './notices/clipboard';
import { Notices } from './notices/notices';
import { Clock } from './platform/clock';
import type { Platform } from './platform/platform';
import { Heartbeat } from './tab/heartbeat';
import { WatchedTab } from './tab/tab';

export class Workbench {
  readonly notices = new Notices();
  readonly helpOpen = signal(false);
  /** What a screen reader is told next. */
  readonly announcement = signal('');
  readonly views: Views;
  readonly tab: WatchedTab;
  readonly page: PageTools;
  readonly sites: Sites;
  readonly shortcuts: BrowserShortcuts;
  readonly link: HostLink;
  readonly comments: Comments;
  readonly chat: Chat;
  readonly approvals: Approvals;
  readonly configFile: ConfigFile;
  /** What a part that could not be drawn offers. */
  readonly repair: Repair;
  readonly #clock: Clock;
  readonly #heartbeat: Heartbeat;
  readonly #ended = new AbortController();

  constructor(platform: Platform) {
    const { notices } = this;
    const ended = this.#ended.signal;
    const announce = (text: string) => {
      this.announcement.value = text;
    };
    const clock = new Clock(platform);
    const clipboard = new Clipboard(platform, notices);
    const views = new Views(ended);
    const scope = signal<Scope>('page');
    /** What the person can see. */
    const sight = computed((): Sight => {
      if (!views.visible.value) return 'nothing';
      return VIEWS[views.view.value].sight(scope.value);
    });
    const onChange = (before: TabState | null, after: TabState) => {
      clock.refresh();
      if (before && before.tabId === after.tabId) {
        const told = news(before.comments, after.comments);
        if (told) announce(told);
        this.comments.actions.heard(after.comments);
      }
    };
    const onShow = (view: AskedView) => {
      views.show(view);
      // Of the page that the person came from, whatever other was chosen before.
      if (view === 'chat') this.chat.chosen.value = null;
    };
    const tab = new WatchedTab(platform, sight, onChange, onShow);
    const pairing = new Pairing(platform, notices, announce);
    const isLookedAt = computed(() => sight.value === 'chat');
    this.#clock = clock;
    this.views = views;
    this.tab = tab;
    this.repair = {
      retry: () => tab.retry(),
      copyReason: (why) => void clipboard.copyText(why, 'the reason'),
    };
    this.page = new PageTools(platform, tab, notices);
    this.comments = new Comments(platform, tab, notices, clock, scope, views.visible);
    const isInChat = computed(() => views.view.value === 'chat');
    this.link = new HostLink({ platform, tab, notices, clock, clipboard, pairing, isInChat }, ended);
    this.chat = new Chat({ platform, tab, notices, clock, clipboard, isLookedAt, announce });
    this.configFile = new ConfigFile(platform);
    this.approvals = new Approvals({
      platform,
      tab,
      notices,
      clock,
      isLookedAt: computed(() => views.visible.value && views.view.value === 'approvals'),
      announce,
      show: () => views.show('approvals'),
    });
    this.#heartbeat = new Heartbeat(platform, tab, views.visible);
    this.shortcuts = new BrowserShortcuts(platform, notices, ended);
    this.sites = new Sites(platform, tab, notices);
  }

  end(): void {
    this.#clock.end();
    this.#heartbeat.end();
    this.#ended.abort();
    this.chat.end();
    this.approvals.end();
    this.comments.end();
    this.tab.end();
  }
}
