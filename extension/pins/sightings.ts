/**
 * Where the elements of comments are now: weak references, the cheap hash at the last look, and the core's verdict.
 * Decides whether another look is due. Knows no drawing and no messaging.
 */
import { isAttached } from '../capture/tree';
import type { Comment } from '../generated/Comment';
import type { Verdict } from '../generated/Verdict';
import { cheapHash } from './hash';

/** What is known of one target of one comment. */
export interface Sighting {
  element: WeakRef<Element> | null;
  hash: number;
  verdict: Verdict | null;
}

export class Sightings {
  private readonly known = new Map<string, { anchors: string; targets: Sighting[] }>();

  of(commentId: string): readonly Sighting[] {
    return this.known.get(commentId)?.targets ?? [];
  }

  /** The live elements of a comment, in the order of its targets; null where one is not found. */
  elements(commentId: string): (Element | null)[] {
    return this.of(commentId).map((sighting) => liveElement(sighting));
  }

  /** The elements are known for certain: the person has just picked them. */
  adopt(comment: Comment, elements: readonly Element[]): void {
    this.known.set(comment.id, {
      anchors: anchorsOf(comment),
      targets: elements.map((element) => ({
        element: new WeakRef(element),
        hash: cheapHash(element),
        verdict: null,
      })),
    });
  }

  /** Takes the core's verdicts on a captured page. Hashes are taken now, so a change in between shows at the next check. */
  take(comment: Comment, verdicts: readonly Verdict[], nodes: readonly Node[]): void {
    const targets = verdicts.map((verdict): Sighting => {
      const node = nodes[verdict.node ?? verdict.candidates[0] ?? -1];
      if (node?.nodeType !== 1) return { element: null, hash: 0, verdict };
      const element = node as Element;
      return { element: new WeakRef(element), hash: cheapHash(element), verdict };
    });
    this.known.set(comment.id, { anchors: anchorsOf(comment), targets });
  }

  /** Keeps what is known of these comments and drops the rest. */
  keepOnly(comments: readonly Comment[]): void {
    const ids = new Set(comments.map((comment) => comment.id));
    for (const id of this.known.keys()) if (!ids.has(id)) this.known.delete(id);
  }

  /**
   * Whether the core should look for this comment: never seen, pinned anew, gone, or different. `pageChanged`: elements that
   * were not found may have come.
   */
  isDue(comment: Comment, pageChanged: boolean): boolean {
    const entry = this.known.get(comment.id);
    if (!entry || entry.anchors !== anchorsOf(comment)) return true;
    return entry.targets.some((sighting) => {
      const element = liveElement(sighting);
      const unsure = sighting.verdict?.kind === 'ambiguous' || sighting.verdict?.kind === 'missing';
      if (unsure) return pageChanged;
      return !element || cheapHash(element) !== sighting.hash;
    });
  }
}

function liveElement(sighting: Sighting): Element | null {
  const element = sighting.element?.deref();
  return element && isAttached(element) ? element : null;
}

function anchorsOf(comment: Comment): string {
  return comment.targets.map((target) => target.anchor).join(' ');
}
