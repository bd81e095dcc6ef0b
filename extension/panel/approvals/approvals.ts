/** What waits for the person's yes or no, and what the person says. No markup. */
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import { timeLeftEvery } from '../../design/time-left';
import type { Verification } from '../../generated/Verification';
import type { ApprovalsState } from '../../state/approvals';
import { asSentence, type Notices } from '../notices/notices';
import type { Clock } from '../platform/clock';
import type { Platform } from '../platform/platform';
import type { WatchedTab } from '../tab/tab';

/** A line to the background that broke is tried again after this long, milliseconds. */
const RETRY_AFTER = 500;
/** A background that says nothing for this long is not going to. */
const SILENT_AFTER = 4_000;
/**
 * A button that comes under the pointer decides nothing for so long, milliseconds: one click, or the second of a
 * double click, was meant for what stood there before. All rest when the view comes in sight and when a card has gone;
 * those of a card that is asked for rest alone, so that who asks without end cannot keep the others from being decided.
 */
const RESTS_FOR = 700;

/** What an approval's panel state is made of. */
export interface ApprovalsParts {
  platform: Platform;
  tab: WatchedTab;
  notices: Notices;
  clock: Clock;
  /** Whether the person can see it. */
  isLookedAt: ReadonlySignal<boolean>;
  /** Tells a screen reader. */
  announce: (text: string) => void;
  /** The person wants to see it now. */
  show: () => void;
}

/** What the person has begun to say about one that waits. */
export interface Draft {
  note: string;
  /** Allow it from now on. */
  always: boolean;
  hours: number;
  anyContext: boolean;
}

export const HOURS = [1, 8, 24, 168] as const;
const NO_DRAFT: Draft = { note: '', always: false, hours: 1, anyContext: false };

export class Approvals {
  readonly clock: Clock;
  readonly state = signal<ApprovalsState | null>(null);
  /** The background does not answer; what is shown may be old. */
  readonly isSilent = signal(false);
  /** The moment, as often as time left is told. Milliseconds since the Unix epoch. */
  readonly now = signal(0);
  /** How many can be decided. */
  readonly waiting: ReadonlySignal<number>;
  /** Whether one of them can be decided now. */
  readonly canDecideAny: ReadonlySignal<boolean>;
  /** Whether cards have just moved. */
  readonly isMoving = signal(false);
  /** Ids of those whose cards have only just come. */
  readonly fresh = signal<ReadonlySet<string>>(new Set());
  /** The person has pressed "Reject all" once: the next press does it. */
  readonly asksRejectAll = signal(false);
  /** Ids of approvals and rules of which something is on its way. */
  readonly busy = signal<ReadonlySet<string>>(new Set());
  /** Why what was said last did not get there, by id. */
  readonly errors = signal<ReadonlyMap<string, string>>(new Map());
  readonly drafts = signal<ReadonlyMap<string, Draft>>(new Map());
  /** Whether the system's notes are allowed; unknown at first. */
  readonly notifies = signal<boolean | undefined>(undefined);
  /** The browser, or the person, said no when asked for them. */
  readonly notifiesRefused = signal(false);
  /** Names of the agents that are connected to that project; unknown while nobody can say. */
  readonly agents: ReadonlySignal<readonly string[] | undefined>;
  /** Root of the project of the tab that is shown. */
  readonly ownRoot: ReadonlySignal<string | undefined>;

  readonly #platform: Platform;
  readonly #parts: ApprovalsParts;
  readonly #stops: (() => void)[];
  #retry: ReturnType<typeof setTimeout> | undefined;
  #silence: ReturnType<typeof setTimeout> | undefined;
  #rest: ReturnType<typeof setTimeout> | undefined;
  #freshRests = new Set<ReturnType<typeof setTimeout>>();
  #endWatch = () => {};

  constructor(parts: ApprovalsParts) {
    const { platform, tab, clock, isLookedAt } = parts;
    this.#parts = parts;
    this.#platform = platform;
    this.clock = clock;
    // Which project it is does not change because nobody can be asked.
    let known: { tabId: number | undefined; root: string | undefined } = {
      tabId: undefined,
      root: undefined,
    };
    this.ownRoot = computed(() => {
      const { tabId, connection } = tab.state.value ?? {};
      const root = connection?.project?.root;
      if (root !== undefined || connection?.hub === 'connected' || known.tabId !== tabId)
        known = { tabId, root };
      return known.root;
    });
    this.agents = computed(() => {
      const { connection } = tab.state.value ?? {};
      return connection?.hub === 'connected' ? connection.agents.map(({ client }) => client) : undefined;
    });
    this.canDecideAny = computed(() => (this.state.value?.pending ?? []).some((one) => this.canDecide(one)));
    this.waiting = computed(() => {
      const { pending = [], leftOut = 0 } = this.state.value ?? {};
      return pending.filter(({ expiresAt }) => expiresAt > this.now.value).length + leftOut;
    });
    this.now.value = platform.now();
    this.#stops = [
      effect(() => {
        if (isLookedAt.value) this.#moved();
        // Half of it is nothing to find again later.
        else this.asksRejectAll.value = false;
      }),
      effect(() => {
        if (!isLookedAt.value || (this.state.value?.pending.length ?? 0) === 0) return;
        const tick = () => {
          this.now.value = platform.now();
        };
        tick();
        const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
        const timer = setInterval(tick, timeLeftEvery(isStill));
        return () => clearInterval(timer);
      }),
    ];
    this.#watch();
    void this.#lookNotifies();
  }

  end(): void {
    for (const stop of this.#stops) stop();
    for (const timer of [this.#retry, this.#silence, this.#rest, ...this.#freshRests]) clearTimeout(timer);
    this.#endWatch();
  }

  draft(id: string): Draft {
    return this.drafts.value.get(id) ?? NO_DRAFT;
  }

  write(id: string, change: Partial<Draft>): void {
    const draft = { ...(this.drafts.peek().get(id) ?? NO_DRAFT), ...change };
    this.drafts.value = new Map(this.drafts.peek()).set(id, draft);
  }

  /** Whether one can be decided now, with what is known. */
  canDecide({ id, expiresAt }: Verification): boolean {
    return (
      this.state.value?.line === 'live' &&
      !this.isSilent.value &&
      !this.isMoving.value &&
      !this.fresh.value.has(id) &&
      !this.busy.value.has(id) &&
      expiresAt > this.now.value
    );
  }

  /**
   * Nobody of the asker's name is connected to its project any more, as far as is known: a yes may reach nobody. One of
   * several of a name has a number behind it, and a long name is cut.
   */
  hasGone({ asker, project }: Verification): boolean {
    const agents = this.agents.value;
    if (!agents || project.root !== this.ownRoot.value) return false;
    return !agents.some((name) => name === asker || name.startsWith(`${asker} (`) || asker.startsWith(name));
  }

  async decide(approval: Verification, approve: boolean): Promise<void> {
    if (!this.canDecide(approval)) return;
    const { id, hash } = approval;
    const { note, always, hours, anyContext } = this.draft(id);
    const rule = approve && always ? { rule: { hours, anyContext } } : {};
    const payload = { id, hash, approve, ...(note.trim() ? { note } : {}), ...rule };
    if (await this.#try(id, () => this.#platform.ask('decide_approval', payload)))
      this.#parts.announce(approve ? 'Approved.' : 'Rejected.');
  }

  /** Rejects every one that is shown, at the second press: one alone may have been meant for something else. */
  async rejectAll(): Promise<void> {
    const open = (this.state.peek()?.pending ?? []).filter((one) => this.canDecide(one));
    if (!this.asksRejectAll.peek()) {
      this.asksRejectAll.value = open.length > 0;
      return;
    }
    this.asksRejectAll.value = false;
    const done = await Promise.all(
      open.map(({ id, hash }) =>
        this.#try(id, () => this.#platform.ask('decide_approval', { id, hash, approve: false })),
      ),
    );
    this.#parts.announce(`${done.filter(Boolean).length} of ${open.length} rejected.`);
  }

  keepAll(): void {
    this.asksRejectAll.value = false;
  }

  async stopRule(ruleId: string): Promise<void> {
    if (this.busy.peek().has(ruleId)) return;
    if (await this.#try(ruleId, () => this.#platform.ask('stop_rule', { ruleId })))
      this.#parts.announce('The rule is stopped.');
  }

  /** Asks the person for the system's notes. Must be called within a click. */
  async allowNotifications(): Promise<void> {
    try {
      const isAllowed = await this.#platform.allowNotifications();
      this.notifies.value = isAllowed;
      this.notifiesRefused.value = !isAllowed;
    } catch (failure) {
      this.#parts.notices.failed(failure);
    }
  }

  async #lookNotifies(): Promise<void> {
    this.notifies.value = await this.#platform.notificationsAllowed().catch(() => undefined);
  }

  /** Does something about one of these. False when it failed, which is told there. */
  async #try(id: string, work: () => Promise<unknown>): Promise<boolean> {
    const errors = new Map(this.errors.peek());
    errors.delete(id);
    this.errors.value = errors;
    this.busy.value = new Set(this.busy.peek()).add(id);
    try {
      await work();
      return true;
    } catch (failure) {
      this.errors.value = new Map(this.errors.peek()).set(id, asSentence(failure));
      return false;
    } finally {
      const busy = new Set(this.busy.peek());
      busy.delete(id);
      this.busy.value = busy;
    }
  }

  #watch(): void {
    this.#endWatch();
    clearTimeout(this.#retry);
    this.#silence ??= setTimeout(() => {
      this.isSilent.value = true;
    }, SILENT_AFTER);
    this.#endWatch = this.#platform.watchApprovals(this.#parts.tab.tabId, {
      onApprovals: (state) => this.#take(state),
      onShow: () => this.#parts.show(),
      onLost: () => {
        // The next background knows nothing yet, and could not pass on what is decided now.
        const { value } = this.state;
        if (value) this.state.value = { ...value, line: 'loading' };
        clearTimeout(this.#retry);
        this.#retry = setTimeout(() => this.#watch(), RETRY_AFTER);
        this.#silence ??= setTimeout(() => {
          this.isSilent.value = true;
        }, SILENT_AFTER);
      },
    });
  }

  #take(fresh: ApprovalsState): void {
    const before = this.state.peek();
    // A background that has just come knows nothing yet: what was shown stays in sight, and a note in its field.
    const state = fresh.line === 'loading' && before ? { ...before, line: fresh.line } : fresh;
    clearTimeout(this.#silence);
    this.#silence = undefined;
    this.isSilent.value = false;
    this.now.value = this.#platform.now();
    this.state.value = state;
    const ids = new Set(state.pending.map(({ id }) => id));
    if (before?.pending.some(({ id }) => !ids.has(id))) this.#moved();
    const known = new Set(before?.pending.map(({ id }) => id));
    const asked = state.pending.filter(({ id }) => !known.has(id));
    this.#came(asked.map(({ id }) => id));
    if (ids.size < 2) this.asksRejectAll.value = false;
    const [one] = asked;
    if (!one || !before) return;
    this.#parts.announce(
      asked.length > 1
        ? `${asked.length} approvals are asked for.`
        : `Approval asked for by ${one.asker}: ${one.action}`,
    );
  }

  /** Cards of these come in sight. */
  #came(ids: string[]): void {
    if (ids.length === 0) return;
    this.fresh.value = new Set([...this.fresh.peek(), ...ids]);
    const rest = setTimeout(() => {
      this.#freshRests.delete(rest);
      const gone = new Set(ids);
      this.fresh.value = new Set([...this.fresh.peek()].filter((id) => !gone.has(id)));
    }, RESTS_FOR);
    this.#freshRests.add(rest);
  }

  #moved(): void {
    this.isMoving.value = true;
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => {
      this.isMoving.value = false;
    }, RESTS_FOR);
  }
}
