/**
 * A card beside an element of the page: comment box and thread are made of it. Follows the element, keeps Tab inside,
 * and is a dialog: modal only while a modal dialog of the page is open (`root.ts` says why), so that the page is
 * touched least.
 */

import { computePosition, flip, offset, shift, size } from '@floating-ui/dom';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { isOwn } from '../../capture/tree';
import { focusPart } from '../host/focus';
import { openModal, openPopover } from '../host/modal';
import type { Follow } from './follow';
import { seenWindow } from './seen-window';

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

  // Before the next key arrives: what is typed right after the click belongs into the card.
  useLayoutEffect(() => {
    const card = ref.current;
    if (!card) return;
    const end = new AbortController();
    const before = focused();
    open(card, latest.current.focus);
    let last = '';
    // A click outside dismisses a card that stands on a popover of the page.
    card.addEventListener('toggle', (event) => {
      const shut = (event as Event & { newState?: string }).newState === 'closed';
      if (shut && card.isConnected && !end.signal.aborted && !card.open) latest.current.onEscape();
    });
    latest.current.follow.each(() => {
      if (!card.isConnected) return false;
      // A modal dialog that the page opened meanwhile made us inert: come back above it.
      if (openModal() && !card.matches(':modal')) {
        close(card);
        open(card, latest.current.focus);
      }
      const rect = latest.current.around();
      const seen = seenWindow();
      const key = [
        rect.x,
        rect.y,
        rect.width,
        rect.height,
        seen.width,
        seen.height,
        card.offsetHeight,
      ].join();
      if (key === last) return false;
      last = key;
      void position(card, rect);
      return true;
    }, end.signal);
    return () => {
      end.abort();
      close(card);
      // A card that has left the document already could not give the focus back itself.
      if (before && (focused() === null || focused() === document.body))
        before.focus({ preventScroll: true });
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
  const popover = openPopover();
  if (openModal()) card.showModal();
  else if (popover) {
    // As a popover of its own that the page's one is the source of, so that clicks in the card do not dismiss that one.
    card.setAttribute('popover', 'auto');
    (card as unknown as { showPopover(options: { source: Element }): void }).showPopover({ source: popover });
  } else card.show();
  const part = card.querySelector<HTMLElement>(focus);
  if (part) focusPart(part);
}

function close(card: HTMLDialogElement): void {
  if (card.open) card.close();
  if (card.matches(':popover-open')) card.hidePopover();
  card.removeAttribute('popover');
}

/** The element of the page that has the focus, inside open shadow roots too. */
function focused(): HTMLElement | null {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement && !isOwn(active)) active = active.shadowRoot.activeElement;
  return active instanceof HTMLElement && !isOwn(active) ? active : null;
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
          elements.floating.style.maxHeight = `${Math.max(160, seenWindow().height - 16)}px`;
        },
      }),
    ],
  });
  const { width, height } = seenWindow();
  card.style.left = `${Math.round(Math.max(8, Math.min(x, width - card.offsetWidth - 8)))}px`;
  card.style.top = `${Math.round(Math.max(8, Math.min(y, height - card.offsetHeight - 8)))}px`;
}

function keepTabInside(card: HTMLElement, event: KeyboardEvent): void {
  const stops = [
    ...card.querySelectorAll<HTMLElement>('button, textarea, iframe, a[href], summary, [tabindex="0"]'),
  ].filter((each) => !each.hasAttribute('disabled') && each.getClientRects().length > 0);
  if (stops.length === 0) return;
  const { activeElement: active } = card.getRootNode() as ShadowRoot;
  event.preventDefault();
  // From where the focus is, which may be at something between them.
  const lies = (where: number) => (each: HTMLElement) =>
    active !== null && (active.compareDocumentPosition(each) & where) !== 0;
  const stop = event.shiftKey
    ? (stops.findLast(lies(Node.DOCUMENT_POSITION_PRECEDING)) ?? stops.at(-1))
    : (stops.find(lies(Node.DOCUMENT_POSITION_FOLLOWING)) ?? stops[0]);
  if (stop) focusPart(stop);
}
