import { expect, test, vi } from 'vitest';
import type { Answer } from '../generated/Answer';
import type { Request } from '../generated/Request';
import { Offers } from './offers';

const tab = { id: 's_1', tabId: 7 };
const offer = {
  id: 'moved-shop-1',
  project: { root: '/work/shop', name: 'shop' },
  kind: 'moved' as const,
  from: '/old/shop',
  bytes: 4096,
  reason: 'the project that was there is gone, and this one looks like it',
};

function offering(answers: (request: Request) => Answer) {
  const changed = vi.fn();
  const taken = vi.fn();
  const asked: Request[] = [];
  const request = async (one: Request) => {
    asked.push(one);
    return answers(one);
  };
  return { offers: new Offers({ request, changed, taken }), changed, taken, asked };
}

test('what is offered is known until it is answered, and the tab is told of both', async () => {
  let open = [offer];
  const { offers, changed, asked } = offering((request) => {
    if (request.type === 'list_offers')
      return { type: 'offers', payload: { sessionId: 's_1', offers: open } };
    open = [];
    return { type: 'offer_answered', payload: { added: 3, skipped: 2 } };
  });
  await offers.look(tab);
  expect(offers.of('s_1')).toEqual([offer]);
  await offers.look(tab);
  expect(changed).toHaveBeenCalledTimes(1);
  expect(await offers.answer(tab, offer.id, true)).toEqual({ added: 3, skipped: 2 });
  expect(asked[2]).toEqual({
    type: 'answer_offer',
    payload: { root: '/work/shop', offerId: offer.id, accept: true },
  });
  expect(offers.of('s_1')).toEqual([]);
  expect(changed).toHaveBeenCalledTimes(2);
  await expect(offers.answer(tab, offer.id, true)).rejects.toThrow('not offered any more');
});

test('an earlier hub, a broken link and what is no offer offer nothing', async () => {
  const error = { code: 'bad_request', message: 'unknown', nextStep: 'Update.' } as const;
  const { offers } = offering(() => ({ type: 'error', payload: error }));
  await offers.look(tab);
  expect(offers.of('s_1')).toEqual([]);
  const strange = [null, 7, { ...offer, kind: 'other' }, { ...offer, project: null }, offer];
  const other = offering(() => ({ type: 'offers', payload: { sessionId: 's_1', offers: strange as never } }));
  await other.offers.look(tab);
  expect(other.offers.of('s_1')).toEqual([offer]);
  const request = () => Promise.reject(new Error('no link'));
  const broken = new Offers({ request, changed: () => {}, taken: () => {} });
  await broken.look(tab);
  expect(broken.of('s_1')).toEqual([]);
});

test('what a project took is asked for, and nothing where it took nothing', async () => {
  const { offers, taken } = offering((request) =>
    request.type === 'list_offers'
      ? { type: 'offers', payload: { sessionId: 's_1', offers: [offer] } }
      : { type: 'offer_answered', payload: { added: 3, skipped: 0 } },
  );
  await offers.look(tab);
  await offers.answer(tab, offer.id, false);
  expect(taken).not.toHaveBeenCalled();
  await offers.answer(tab, offer.id, true);
  expect(taken.mock.calls).toEqual([['/work/shop']]);
});

test('why an offer could not be taken is said', async () => {
  const error = { code: 'conflict', message: 'the file has changed', nextStep: 'Look again.' } as const;
  const { offers } = offering((request) =>
    request.type === 'list_offers'
      ? { type: 'offers', payload: { sessionId: 's_1', offers: [offer] } }
      : { type: 'error', payload: error },
  );
  await offers.look(tab);
  await expect(offers.answer(tab, offer.id, true)).rejects.toThrow('the file has changed. Look again.');
  expect(offers.of('s_1')).toEqual([offer]);
});
