/**
 * What the attributes of a served document tell of its source, and what of earlier documents is known, where nobody
 * knows the project's files.
 */
import { isActive, mayHaveChanged, play, rest } from './harness/shop.ts';
import { scenario } from './harness/world.ts';

/** What a template says beside its texts: address, kind and names, each after the words that find it. */
const OFFER = {
  href: '/offers/tea',
  send: 'Order now',
  alt: 'A pot of tea',
  placeholder: 'Your town',
  label: 'Menu of the day',
  title: 'Prices with tax',
};

const written = (offer: typeof OFFER, visit: number) => `
<p><a id="link" href="${offer.href}?session=${visit}e7a91b${visit}" title="${offer.title}">All teas</a></p>
<p><img id="pot" width="40" height="40" src="/pot.png?t=${visit}" alt="${offer.alt}"></p>
<form><input type="hidden" name="csrf" value="word${'abc'.repeat(visit)}"><input id="town" placeholder="${offer.placeholder}">
<input id="send" type="submit" value="${offer.send}"></form><nav id="nav" aria-label="${offer.label}">Teas, cakes</nav>`;

scenario(
  'where an address, a button’s value or a name was edited in the document, and nothing else, what differs may have changed',
  { registered: false, everySite: true },
  async (world) =>
    play(world, async (shop) => {
      const { page, overlay } = world;
      let offer = OFFER;
      const load = async () => {
        shop.visit += 1;
        shop.end = written(offer, shop.visit);
        await page.reload();
      };
      await load();
      const ids = {
        href: await world.comment('#link', 'Lead to all'),
        send: await world.comment('#send', 'Shorter'),
        alt: await world.comment('#pot', 'Larger'),
        placeholder: await world.comment('#town', 'With the street'),
        label: await world.comment('#nav', 'In two columns'),
      };
      const noted = await world.comment('#note', 'On Sundays too?');
      await rest();
      // Tokens of a visit and what was entered are no other words: what differs then is use.
      await load();
      await rest();
      await page.evaluate(() => document.getElementById('note')?.replaceChildren('Thank you.'));
      await overlay.openThread(noted);
      await overlay.says('thread-verdict', /Looks different now: .* No change of the source was seen\./s);
      await page.keyboard.press('Escape');
      for (const id of Object.values(ids)) await isActive(world, id, 'is as it was');
      const edits = {
        href: '/offers/cake',
        send: 'Order this',
        alt: 'A cup of tea',
        placeholder: 'Your street',
        label: 'Menu of the week',
      };
      for (const [name, value] of Object.entries(edits)) {
        offer = { ...offer, [name]: value };
        await load();
        await mayHaveChanged(world, ids[name as keyof typeof ids], `of ${name} may have changed`);
      }
    }),
);

scenario(
  'after “Still the same”, and for a comment that is made then, a document of before is another one',
  { registered: false, everySite: true },
  async (world) =>
    play(world, async (shop) => {
      const { page, overlay } = world;
      const headed = await world.comment('h1', 'Say which day');
      await rest();
      shop.heading = 'Offers of the week';
      await page.reload();
      await mayHaveChanged(world, headed, 'may have changed');
      await rest();
      await overlay.openThread(headed);
      await overlay.click('thread-still-same');
      await isActive(world, headed, 'is as it was confirmed');
      await rest();
      await page.reload();
      await rest();
      await isActive(world, headed, 'is as it was confirmed, loaded again');
      // As it was at first: that somebody took the edit back is as likely as anything.
      shop.heading = 'Offers of the day';
      await page.reload();
      await mayHaveChanged(world, headed, 'may have changed back');
      shop.note = 'We are open until ten.';
      await page.reload();
      await rest();
      const noted = await world.comment('#note', 'On Sundays too?');
      await rest();
      shop.note = 'We are open until nine.';
      await page.reload();
      await mayHaveChanged(world, noted, 'may have changed back');
    }),
);
