/** Which comments the list shows, in which order, and which of them the keyboard is on. No markup. */
import { computed, type Signal, signal } from '@preact/signals';
import type { WatchedTab } from '../tab/tab';
import { countByFilter, type Filter, grouped, inScope, matching, type Scope } from './list';

export class Listing {
  readonly filter = signal<Filter>('all');
  readonly search = signal('');
  /** The comment that Tab reaches. */
  readonly current = signal<string | null>(null);
  /** The comment that takes the keyboard's focus as soon as it is drawn. */
  readonly wantsFocus = signal<string | null>(null);

  readonly all = computed(() => this.tab.state.value?.comments ?? []);
  readonly here = computed(() => inScope(this.all.value, this.scope.value, this.tab.address.value.pathname));
  readonly counts = computed(() => countByFilter(this.here.value));
  readonly groups = computed(() =>
    grouped(matching(this.here.value, this.filter.value, this.search.value), this.tab.address.value.pathname),
  );
  /** The comments in the order they are drawn. */
  readonly drawn = computed(() => this.groups.value.flatMap((group) => group.comments));
  readonly elsewhere = computed(
    () =>
      inScope(this.all.value, 'origin', '').length -
      inScope(this.all.value, 'page', this.tab.address.value.pathname).length,
  );

  constructor(
    private readonly tab: WatchedTab,
    readonly scope: Signal<Scope>,
  ) {}

  focus(commentId: string | null): void {
    if (commentId !== null) this.current.value = commentId;
    this.wantsFocus.value = commentId;
  }

  /** Moves the focus by so many comments; to the first or last at the ends. */
  move(from: string, by: number): void {
    const drawn = this.drawn.peek();
    const at = drawn.findIndex(({ id }) => id === from);
    const to = drawn[Math.max(0, Math.min(drawn.length - 1, at + by))];
    if (to) this.focus(to.id);
  }
}
