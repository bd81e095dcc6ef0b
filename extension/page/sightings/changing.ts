/**
 * Which elements changed while the page was captured and the core was asked: what was found for them may be about what
 * they were. Costs as much as the changes go up the tree, each ancestor once.
 */
import { parentNodeOf } from '../../capture/dom';
import { isElement, parentOf } from '../../capture/tree';

/** More changes at one time than this count as a change of everything. */
const MOST = 1_000;

export class Changing {
  private readonly nodes = new Set<Node>();
  private all = false;

  add(records: readonly MutationRecord[]): void {
    if (records.length > MOST) this.all = true;
    if (this.all) return;
    for (const { target } of records) {
      let at: Node | null = target;
      while (at && !this.nodes.has(at)) {
        this.nodes.add(at);
        at = isElement(at) ? parentOf(at) : parentNodeOf(at);
      }
    }
  }

  /** Whether the element, or something in it, has changed. */
  readonly has = (element: Element): boolean => this.all || this.nodes.has(element);
}
