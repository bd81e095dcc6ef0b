/**
 * What agents ask the person's yes or no for: the hub's list, kept as long as this background lives, and what the
 * person decides. A decision is sent at once or has failed: none waits for a hub, which would ask for it too late.
 */
import type { Answer } from '../generated/Answer';
import type { Request } from '../generated/Request';
import type { Rule } from '../generated/Rule';
import type { RuleWish } from '../generated/RuleWish';
import type { Verification } from '../generated/Verification';
import type { ApprovalsState, PageApprovals } from '../state/approvals';
import { harmless, harmlessLine } from './harmless';
import { LinkLost, NoAnswer } from './link';

export interface ApprovalsOptions {
  /** Rejects with LinkLost when there is no link. */
  request: (request: Request) => Promise<Answer>;
  /** What waits, was decided, or can be decided changed. */
  changed: () => void;
  now?: () => number;
}

/** What the person says about one. */
export interface Decision {
  id: string;
  /** Of the words that the person saw. */
  hash: string;
  approve: boolean;
  note?: string | undefined;
  /** With a yes: what is allowed from now on. */
  rule?: RuleWish | undefined;
}

/** What came of the hub outside a list. */
type News = { type: 'verification'; verification: Verification } | { type: 'rules'; rules: Rule[] };

/** As many decisions as the hub lists. */
const LATEST = 50;
/** What a panel is told of, at most: more wait only where somebody floods, and nobody reads so much at once. */
const IN_A_PANEL = 50;
/** What a page is told of, at most: it shows one of them. */
const FOR_A_PAGE = 20;
/** Characters of an action on a page. */
const ON_A_PAGE = 300;
/** Browsers take no longer timer. */
const LONGEST_TIMER = 2 ** 31 - 1;

export class Approvals {
  #options: ApprovalsOptions;
  #now: () => number;
  #line: ApprovalsState['line'] = 'loading';
  #detail = '';
  #pending = new Map<string, Verification>();
  #decided: Verification[] = [];
  #rules: Rule[] = [];
  #leftOut = 0;
  /** What came while the list was on its way: it is newer, or the list has it too. */
  #meanwhile: News[] | undefined;
  #round = 0;
  #expiry: ReturnType<typeof setTimeout> | undefined;

  constructor(options: ApprovalsOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => Date.now());
  }

  /** As the panel shows it. */
  get state(): ApprovalsState {
    const firstAsked = (a: Verification, b: Verification) => a.askedAt - b.askedAt || (a.id < b.id ? -1 : 1);
    const pending = [...this.#pending.values()].sort(firstAsked);
    return {
      line: this.#line,
      detail: this.#detail,
      pending: pending.slice(0, IN_A_PANEL),
      leftOut: this.#leftOut + Math.max(0, pending.length - IN_A_PANEL),
      decided: this.#decided,
      rules: this.#rules,
    };
  }

  /** What still has time, the next to expire first. */
  get waiting(): Verification[] {
    const now = this.#now();
    const waiting = [...this.#pending.values()].filter(({ expiresAt }) => expiresAt > now);
    return waiting.sort((a, b) => a.expiresAt - b.expiresAt);
  }

  /** How many wait, with those that the list had no room for. */
  get count(): number {
    return this.waiting.length + this.#leftOut;
  }

  /** What a page of a project is told. */
  ofProject(root: string): PageApprovals {
    const own = this.waiting.filter(({ project }) => project.root === root);
    const first = own.slice(0, FOR_A_PAGE).map(({ id, action, expiresAt }) => ({
      id,
      action: harmlessLine(action, ON_A_PAGE),
      expiresAt,
    }));
    return { first, count: own.length };
  }

  /** There is a link to the hub: asks it for everything. Never rejects. */
  async connected(): Promise<void> {
    const round = ++this.#round;
    this.#meanwhile = [];
    const answer = await this.#options.request({ type: 'list_verifications' }).catch(() => undefined);
    // The link broke, and there is another one that was asked.
    if (round !== this.#round) return;
    if (answer?.type === 'verifications') this.#take(answer.payload);
    else if (answer?.type === 'error') {
      const { code } = answer.payload;
      // A host that does not know the request says that it is none.
      this.#line = code === 'bad_request' || code === 'forbidden' ? 'unsupported' : 'offline';
      this.#detail =
        code === 'bad_request'
          ? 'The host cannot ask for approvals yet. Update opentoolbar, then restart the browser.'
          : sentenceOf(answer);
    } else {
      this.#line = 'offline';
      this.#detail = 'The host didn’t answer. Trying again when it does.';
    }
    const meanwhile = this.#meanwhile;
    this.#meanwhile = undefined;
    for (const news of meanwhile ?? []) this.#apply(news);
    this.#told();
  }

  /** There is no link now. What waited stays in sight; nothing of it can be decided. */
  lost(detail: string): void {
    this.#round += 1;
    this.#meanwhile = undefined;
    this.#line = 'offline';
    this.#detail = detail;
    this.#told();
  }

  /** One was asked or decided. Throws when it is none that this version knows. */
  hear(verification: unknown): void {
    if (!isVerification(verification)) throw new Error('it is no verification that this version knows');
    this.#news({ type: 'verification', verification });
  }

  /** Other rules hold now. Throws as `hear`. */
  hearRules(rules: unknown): void {
    if (!Array.isArray(rules)) throw new Error('these are no rules');
    this.#news({ type: 'rules', rules: rules.filter(isRule) });
  }

  /** The person decides. Rejects with a sentence when that did not get there, or came too late. */
  async decide({ id, hash, approve, note, rule }: Decision): Promise<void> {
    const payload = {
      verificationId: id,
      hash,
      approve,
      ...(note?.trim() ? { note } : {}),
      ...(rule ? { rule } : {}),
    };
    const answer = await this.#ask({ type: 'decide_verification', payload });
    if (answer.type === 'verification' && isVerification(answer.payload.verification))
      this.hear(answer.payload.verification);
  }

  /** A rule holds no longer. Rejects as `decide`. */
  async stopRule(ruleId: string): Promise<void> {
    const answer = await this.#ask({ type: 'stop_rule', payload: { ruleId } });
    if (answer.type === 'verifications') this.hearRules(answer.payload.rules);
  }

  async #ask(request: Request): Promise<Answer> {
    let answer: Answer;
    try {
      answer = await this.#options.request(request);
    } catch (failure) {
      if (failure instanceof NoAnswer) {
        throw new Error(
          'The host didn’t answer, so it isn’t known whether this was done. Look again when it is back.',
        );
      }
      if (failure instanceof LinkLost)
        throw new Error('The host isn’t responding, so nothing was done. Try again when it is back.');
      throw failure;
    }
    if (answer.type !== 'error') return answer;
    // Somebody else was faster, or its time ran out: what is shown is old.
    void this.connected();
    throw new Error(sentenceOf(answer));
  }

  #take({ pending, leftOut, decided, rules }: Extract<Answer, { type: 'verifications' }>['payload']): void {
    this.#line = 'live';
    this.#detail = '';
    this.#pending = new Map(listOf(pending).map((one) => [one.id, shown(one)]));
    this.#leftOut = leftOut ?? 0;
    this.#decided = listOf(decided).map(shown);
    this.#rules = Array.isArray(rules) ? rules.filter(isRule).map(shownRule) : [];
  }

  #news(news: News): void {
    // The host is there and could not list a moment ago.
    if (!this.#meanwhile && this.#line === 'offline') void this.connected();
    this.#meanwhile?.push(news);
    this.#apply(news);
    this.#told();
  }

  #apply(news: News): void {
    if (news.type === 'rules') {
      this.#rules = news.rules.map(shownRule);
      return;
    }
    const { id, decided } = news.verification;
    // A decision never changes: what says otherwise is older.
    if (!decided && this.#decided.some((one) => one.id === id)) return;
    if (!decided) {
      this.#pending.set(id, shown(news.verification));
      return;
    }
    const hadNoRoom = !this.#pending.delete(id) && !this.#decided.some((one) => one.id === id);
    // By a rule it is decided as it is asked, and was in no list.
    if (hadNoRoom && decided.by !== 'rule') this.#leftOut = Math.max(0, this.#leftOut - 1);
    const others = this.#decided.filter((one) => one.id !== id);
    const latestFirst = (a: Verification, b: Verification) => (b.decided?.at ?? 0) - (a.decided?.at ?? 0);
    this.#decided = [shown(news.verification), ...others].sort(latestFirst).slice(0, LATEST);
  }

  /** Tells everybody, and once more when the next one has no time any more: without a hub nobody else says so. */
  #told(): void {
    clearTimeout(this.#expiry);
    const [next] = this.waiting;
    if (next) {
      const wait = Math.min(next.expiresAt - this.#now() + 1, LONGEST_TIMER);
      this.#expiry = setTimeout(() => this.#told(), wait);
    }
    this.#options.changed();
  }
}

/** Why the hub refused, and what to do next. */
export const sentenceOf = ({ payload }: Extract<Answer, { type: 'error' }>) =>
  `${payload.message.charAt(0).toUpperCase()}${payload.message.slice(1)}. ${payload.nextStep}`;

function listOf(value: unknown): Verification[] {
  return Array.isArray(value) ? value.filter(isVerification) : [];
}

/** As it may be shown. The hash stays that of the words as they came. */
function shown(one: Verification): Verification {
  return {
    ...one,
    project: { root: harmless(one.project.root), name: harmlessLine(one.project.name, 200) },
    action: harmless(one.action),
    reason: harmless(one.reason),
    ...(one.context === undefined ? {} : { context: harmless(one.context) }),
    asker: harmlessLine(one.asker, 200),
    ...(one.decided
      ? { decided: { ...one.decided, ...(one.decided.note ? { note: harmless(one.decided.note) } : {}) } }
      : {}),
  };
}

function shownRule(rule: Rule): Rule {
  return {
    ...rule,
    project: { root: harmless(rule.project.root), name: harmlessLine(rule.project.name, 200) },
    action: harmless(rule.action),
    ...(rule.context === undefined ? {} : { context: harmless(rule.context) }),
  };
}

const isText = (value: unknown) => typeof value === 'string';
const isMoment = (value: unknown) => typeof value === 'number' && value >= 0 && value < 8.64e15;

/** Hubs of other versions may say it otherwise. */
function isVerification(value: unknown): value is Verification {
  const { id, hash, project, action, reason, context, asker, askedAt, expiresAt, decided } = (value ??
    {}) as Partial<Verification>;
  const words = [id, hash, project?.root, project?.name, action, reason, asker, context ?? ''];
  return (
    words.every(isText) &&
    isMoment(askedAt) &&
    isMoment(expiresAt) &&
    (decided === undefined ||
      (typeof decided.approved === 'boolean' &&
        isText(decided.by) &&
        isMoment(decided.at) &&
        isText(decided.note ?? '')))
  );
}

function isRule(value: unknown): value is Rule {
  const { id, project, action, context, anyContext, expiresAt, uses } = (value ?? {}) as Partial<Rule>;
  return (
    [id, project?.root, project?.name, action, context ?? ''].every(isText) &&
    typeof anyContext === 'boolean' &&
    isMoment(expiresAt) &&
    typeof uses === 'number'
  );
}
