/**
 * A card beside an element of the page: comment box and thread are made of it. Follows the element, keeps Tab inside, and is
 * a dialog: modal only while a modal dialog of the page is open (`root.ts` says why), so that the page is touched least.
 */
import { computePosition, flip, offset, shift, size } from '@floating-ui/dom';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Follow } from './follow';
import { openModal } from './root';

export interface FloatingProps {
  testid: string;
  label: string;
  className: string;
  follow: Follow;
  /** What it stands beside, in viewport pixels. */
  around: () => DOMRect;
  /** Focused when it opens: a selector inside the card. */
  focus: string;
  onKey?: (event: KeyboardEvent) => void;
  onEscape: () => void;
  children: ComponentChildren;
}

export function Floating(props: FloatingProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const latest = useRef(props);
  latest.current = props;

  useEffect(() => {
    const card = ref.current;
    if (!card) return;
    const end = new AbortController();
    open(card, latest.current.focus);
    let last = '';
    latest.current.follow.each(() => {
      // A modal dialog that the page opened meanwhile made us inert: come back above it.
      if (openModal() && !card.matches(':modal')) {
        card.close();
        open(card, latest.current.focus);
      }
      const rect = latest.current.around();
      const key = [
        rect.x,
        rect.y,
        rect.width,
        rect.height,
        innerWidth,
        innerHeight,
        card.offsetHeight,
      ].join();
      if (key === last) return false;
      last = key;
      void position(card, rect);
      return true;
    }, end.signal);
    return () => {
      end.abort();
      // Gives the focus back to where it was before.
      if (card.open) card.close();
    };
  }, []);

  // Content that grows moves the card.
  useEffect(() => props.follow.wake());

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.isComposing) {
      event.preventDefault();
      props.onEscape();
    } else if (event.key === 'Tab' && ref.current) {
      keepTabInside(ref.current, event);
    } else props.onKey?.(event);
  };

  return (
    <dialog
      ref={ref}
      class={`card ${props.className}`}
      data-testid={props.testid}
      data-part
      aria-label={props.label}
      onKeyDown={onKeyDown}
      onCancel={(event) => event.preventDefault()}
    >
      {props.children}
    </dialog>
  );
}

function open(card: HTMLDialogElement, focus: string): void {
  if (openModal()) card.showModal();
  else card.show();
  card.querySelector<HTMLElement>(focus)?.focus({ preventScroll: true });
}

async function position(card: HTMLElement, rect: DOMRect): Promise<void> {
  const { x, y } = await computePosition({ getBoundingClientRect: () => rect }, card, {
    strategy: 'fixed',
    placement: 'bottom-start',
    middleware: [
      offset(8),
      flip({ padding: 8, fallbackPlacements: ['top-start', 'right-start', 'left-start'] }),
      shift({ padding: 8, crossAxis: true }),
      size({
        padding: 8,
        apply: ({ elements }) => {
          elements.floating.style.maxHeight = `${Math.max(160, innerHeight - 16)}px`;
        },
      }),
    ],
  });
  card.style.left = `${Math.round(Math.max(8, Math.min(x, innerWidth - card.offsetWidth - 8)))}px`;
  card.style.top = `${Math.round(Math.max(8, Math.min(y, innerHeight - card.offsetHeight - 8)))}px`;
}

function keepTabInside(card: HTMLElement, event: KeyboardEvent): void {
  const stops = [
    ...card.querySelectorAll<HTMLElement>('button, textarea, a[href], summary, [tabindex="0"]'),
  ].filter((each) => !each.hasAttribute('disabled') && each.getClientRects().length > 0);
  if (stops.length === 0) return;
  const root = card.getRootNode() as ShadowRoot;
  const at = stops.indexOf(root.activeElement as HTMLElement);
  const next = at < 0 ? 0 : (at + (event.shiftKey ? -1 : 1) + stops.length) % stops.length;
  event.preventDefault();
  stops[next]?.focus({ preventScroll: true });
}
