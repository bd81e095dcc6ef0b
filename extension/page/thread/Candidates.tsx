/** The elements that a comment's own may be: each is framed on the page with its letter, and can be chosen. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { attributeOf, childElementsOf, localNameOf } from '../../capture/dom';
import { viewportBox } from '../../capture/geometry';
import { parentOf } from '../../capture/tree';
import type { Follow } from '../positioning/follow';
import { nameOf, Outline } from '../positioning/outline';
import { seenWindow } from '../positioning/seen-window';
import { apart, letterOf } from './marks';
import { textIn } from './text-in';

/** Characters of a text that are shown. */
const LONGEST = 48;

interface Props {
  elements: readonly Element[];
  /** Where the frames are drawn. */
  layer: HTMLElement;
  follow: Follow;
  title: string;
  busy: boolean;
  choose: (element: Element) => void;
}

export function Candidates({ elements, layer, follow, title, busy, choose }: Props) {
  const list = useRef<HTMLUListElement>(null);
  const [pointed, setPointed] = useState<Element | null>(null);
  const frames = useRef<Outline[]>([]);
  useEffect(() => {
    const end = new AbortController();
    const drawn = elements.map(
      (element, at) => new Outline(layer, element, { kind: 'candidate', mark: letterOf(at) }),
    );
    const placeMarks = () => {
      const spots = apart(
        drawn.map((frame) => frame.markSpot()),
        seenWindow().width,
      );
      for (const [at, spot] of spots.entries()) drawn[at]?.moveMark(spot);
    };
    placeMarks();
    frames.current = drawn;
    for (const element of elements) follow.watch(element);
    end.signal.addEventListener('abort', () => {
      for (const element of elements) follow.unwatch(element);
    });
    const update = () => {
      const moved = drawn.map((frame) => frame.update()).some(Boolean);
      if (moved) placeMarks();
      return moved;
    };
    follow.each(update, end.signal);
    return () => {
      end.abort();
      for (const frame of drawn) frame.remove();
    };
  }, [elements, layer, follow]);
  useEffect(() => {
    for (const frame of frames.current) frame.emphasise(frame.element === pointed);
  }, [pointed, elements]);

  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])];
    const at = buttons.findIndex((button) => button.matches(':focus'));
    const next = buttons[(at + step + buttons.length) % buttons.length];
    event.preventDefault();
    event.stopPropagation();
    next?.focus({ preventScroll: true });
    next?.scrollIntoView({ block: 'nearest' });
  };

  return (
    <div class="candidates">
      <p class="candidates-title">{title}</p>
      <ul ref={list} aria-label={title} onKeyDown={onKeyDown}>
        {elements.map((element, at) => (
          <li key={at}>
            <button
              type="button"
              class="choice"
              data-testid={`candidate-${at + 1}`}
              data-part
              aria-disabled={busy}
              onMouseEnter={() => setPointed(element)}
              onMouseLeave={() => setPointed(null)}
              onFocus={(event) => {
                setPointed(element);
                // By keyboard there is no other way to see it.
                if (event.currentTarget.matches(':focus-visible')) show(element);
              }}
              onBlur={() => setPointed(null)}
              onClick={() => !busy && choose(element)}
            >
              <span class="letter choice-mark" aria-hidden="true">
                {letterOf(at)}
              </span>
              <span class="choice-words">
                <span class="chip-tag">{nameOf(element)}</span> {excerpt(element)}
                <span class="hint">{where(element)}</span>
              </span>
              <span class="said-only">It is this one</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function excerpt(element: Element): string {
  const text = (attributeOf(element, 'aria-label') ?? textIn(element, LONGEST + 1))
    .replace(/\s+/g, ' ')
    .trim();
  return text ? `“${text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}”` : '';
}

/** Its place among elements like it, and whether it can be seen. */
function where(element: Element): string {
  const parent = parentOf(element);
  const same = parent
    ? [...childElementsOf(parent)].filter((one) => localNameOf(one) === localNameOf(element))
    : [];
  const place = same.length > 1 ? `number ${same.indexOf(element) + 1} of ${same.length} ` : '';
  const around = parent ? `${place}in ${nameOf(parent)}` : place;
  return inView(element) ? around : `${around}, out of view`;
}

function inView(element: Element): boolean {
  const { bottom, right, top, left } = viewportBox(element);
  return bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
}

function show(element: Element): void {
  if (!inView(element)) element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
}
