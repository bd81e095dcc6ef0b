/**
 * What the hub offers to the projects of tabs: the data of a project that moved, or a database that stands in the
 * project. The person decides, in the panel; nothing is taken over by itself.
 */
import type { Answer } from '../generated/Answer';
import type { Offer } from '../generated/Offer';
import type { Request } from '../generated/Request';

export interface OffersOptions {
  /** Rejects when there is no link. */
  request: (request: Request) => Promise<Answer>;
  /** What is offered to a tab's project changed. */
  changed: (tabId: number) => void;
  /**
   * A project took what was offered: its comments are worth asking for. Not waited for: one of its tabs may be long in
   * coming.
   */
  taken: (root: string) => void;
}

/** What came of taking an offer. */
export type Taken = Extract<Answer, { type: 'offer_answered' }>['payload'];

/** What of a session is needed here. */
export interface OfferedTo {
  id: string;
  tabId: number;
}

/** More would be no question any more. */
const MOST = 20;

export class Offers {
  #options: OffersOptions;
  /** By session. */
  #known = new Map<string, Offer[]>();

  constructor(options: OffersOptions) {
    this.#options = options;
  }

  of(sessionId: string): Offer[] {
    return this.#known.get(sessionId) ?? [];
  }

  /** Asks the hub. One without offers, or of an earlier version, offers nothing. */
  async look({ id, tabId }: OfferedTo): Promise<void> {
    const before = this.of(id);
    const request = { type: 'list_offers', payload: { sessionId: id } } as const;
    const answer = await this.#options.request(request).catch(() => undefined);
    const offers = answer?.type === 'offers' ? answer.payload.offers.filter(isOffer).slice(0, MOST) : [];
    if (offers.length > 0) this.#known.set(id, offers);
    else this.#known.delete(id);
    if (JSON.stringify(before) !== JSON.stringify(offers)) this.#options.changed(tabId);
  }

  /** The person's answer. Rejects with a sentence. */
  async answer(session: OfferedTo, offerId: string, accept: boolean): Promise<Taken> {
    const offer = this.of(session.id).find(({ id }) => id === offerId);
    if (!offer) throw new Error('This is not offered any more.');
    const payload = { root: offer.project.root, offerId, accept };
    const answer = await this.#options.request({ type: 'answer_offer', payload });
    await this.look(session);
    if (answer.type === 'error') throw new Error(`${answer.payload.message}. ${answer.payload.nextStep}`);
    // The hub's news of a comment does not say that its project is another now.
    if (accept) this.#options.taken(offer.project.root);
    return answer.type === 'offer_answered' ? answer.payload : { added: 0, skipped: 0 };
  }
}

/** Hubs of other versions may say it otherwise. */
function isOffer(value: unknown): value is Offer {
  if (typeof value !== 'object' || value === null) return false;
  const { id, project, kind, from, reason } = value as Partial<Offer>;
  const words = [id, project?.root, from, reason];
  return words.every((word) => typeof word === 'string') && (kind === 'moved' || kind === 'found');
}
