/** A comment's pin as a person sees it, and what agents are told of the comment meanwhile. */
import type { Page } from 'puppeteer-core';
import type { Agent } from './agent.ts';
import { inOwn } from './closed.ts';
import type { World } from './world.ts';

/** How a pin is drawn. */
export interface Drawn {
  place: string;
  status: string;
  /** What it says of its state; without what it says while the hub has not stored it, which `isSent` tells. */
  words: string;
  isSent: boolean;
  label: string;
  x: number;
  y: number;
}

/** Where a pin stands: `found`, `unsure`, `gone`, `away`; undefined without a pin. */
export async function placeOf(page: Page, id: string): Promise<string | undefined> {
  const place = await inOwn(
    page,
    (root, testId) => root.querySelector<HTMLElement>(`[data-testid="${testId}"]`)?.dataset.place,
    `pin-${id}`,
  );
  return place ?? undefined;
}

/** A comment's pin as a person sees and hears it; null while it is not drawn. */
export async function drawn(world: World, id: string): Promise<Drawn | null> {
  return inOwn(
    world.page,
    (root, testId) => {
      const pin = root.querySelector<HTMLElement>(`[data-testid="${testId}"]`);
      if (!pin || pin.getClientRects().length === 0) return null;
      const box = pin.getBoundingClientRect();
      const [words = '', unsent] = (pin.querySelector('.pin-word')?.textContent ?? '').split(
        /,? ?not sent yet$/i,
      );
      return {
        place: pin.dataset.place ?? '',
        status: pin.dataset.status ?? '',
        words,
        isSent: unsent === undefined,
        label: pin.getAttribute('aria-label') ?? '',
        x: box.x + box.width / 2,
        y: box.y + box.height / 2,
      };
    },
    `pin-${id}`,
  );
}

/** Waits until a pin is as wanted; when it never is, says how it was at last. */
export async function pinIs(
  world: World,
  id: string,
  what: string,
  condition: (pin: Drawn) => boolean,
): Promise<Drawn> {
  let last: Drawn | null = null;
  try {
    return await world.until(`the pin ${what}`, async () => {
      last = await drawn(world, id);
      return last && condition(last) ? last : null;
    });
  } catch (error) {
    throw new Error(`the pin ${what}: never; at last ${JSON.stringify(last)}`, { cause: error });
  }
}

/** What an agent is told of a comment. */
export async function statusFor(agent: Agent, id: string): Promise<{ status: string; revision: number }> {
  const { comments } = await agent.feedback({ status: 'all', detail: 'full' });
  const found = comments.find((comment) => comment.id === id);
  return { status: found?.status ?? 'unknown', revision: Number(found?.revision ?? 0) };
}
