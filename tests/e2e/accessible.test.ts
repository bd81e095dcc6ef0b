/**
 * axe-core on every state that the overlay and the panel have, in light and in dark. The overlay is looked at in an
 * open copy.
 */
import { read, send } from './conversation.ts';
import { accessible } from './harness/looks.ts';
import { own } from './harness/overlay.ts';
import { Panel } from './harness/panel.ts';
import { pinIs } from './harness/pins.ts';
import { otherSite } from './harness/sites.ts';
import { Source } from './harness/source.ts';

accessible(
  'without a host, from the first comment to its deletion',
  { registered: false },
  async (world, looks) => {
    const { page, overlay } = world;
    const panel = await world.panel();
    await panel.find('empty');
    await looks.panel('no comments, not connected');
    await panel.click('tab-chat');
    await looks.panel('chat, not connected');
    await panel.click('tab-comments');
    await panel.page.keyboard.press('?');
    await panel.page.waitForSelector('dialog.help[open]');
    await looks.panel('help');
    await panel.page.keyboard.press('Escape');
    await panel.click('pair');
    await (await panel.find('pairing-code')).type('nonsense');
    await panel.page.keyboard.press('Enter');
    await panel.find('pairing-error');
    await looks.panel('pairing refused');
    await panel.click('pairing-cancel');

    await world.startPicking();
    await looks.page('picking');
    await overlay.hover('#refresh');
    await looks.page('pointing');
    await overlay.pick('#refresh', { shift: true });
    await overlay.pick('#new-order', { shift: true });
    await looks.page('several picked');
    await overlay.click('pick-done');
    await overlay.visible('comment-box');
    await looks.page('comment box');
    const { id } = await overlay.write('Readable for everyone');
    await overlay.pin(id, 'stands');
    await looks.page('pin');
    await overlay.openThread(id);
    await looks.page('thread');
    await overlay.click('thread-edit');
    await overlay.focused('thread-edit-input');
    await looks.page('thread that is edited');
    await overlay.click('thread-edit-cancel');

    await looks.panel('a comment that waits for the host');
    await panel.click(`edit-${id}`);
    await panel.find(`input-${id}`);
    await looks.panel('a comment that is edited');
    await panel.click(`cancel-${id}`);
    await panel.click('filter-resolved');
    await panel.find('no-match');
    await looks.panel('a filter that nothing fits');
    await panel.click('filter-active');
    await panel.click('search');
    await panel.type('search', 'Readable');
    await panel.find(`comment-${id}`);
    await looks.panel('filter and search');
    await panel.click(`delete-${id}`);
    await panel.find('undo');
    await looks.panel('deleted, with undo');

    await page.bringToFront();
    await world.startPicking();
    await overlay.pick('#new-order');
    await overlay.type('Not saved');
    await page.reload({ waitUntil: 'load' });
    await overlay.visible('notice');
    await looks.page('notice of an unsaved text');

    const closed = new Panel(await world.browser.openExtensionPage('panel.html?tabId=999999'));
    await closed.find('no-tab');
    await looks.panel('a closed tab', closed.page);
  },
);

accessible('with an agent, from its question to its answer', {}, async (world, looks) => {
  const { overlay } = world;
  const id = await world.comment('.save-card', 'Make it blue');
  const panel = await world.panel();
  const agent = await world.agent('claude-code');
  await world.delivered(agent, id);
  await agent.call('reply_to_comment', { commentId: id, message: 'Which **blue**? `navy`' });
  await panel.says(`comment-${id}`, /Which blue/);
  await looks.panel('a question of the agent');
  await world.page.bringToFront();
  await overlay.openThread(id);
  await overlay.visible('thread-replies');
  await looks.page('thread with a question');
  await agent.call('resolve_comment', { commentId: id, summary: 'It is navy' });
  await overlay.visible('thread-resolution');
  await looks.page('thread with a resolution');
  await panel.click('filter-resolved');
  await panel.find(`comment-${id}`);
  await looks.panel('a resolved comment');

  await send(world, '.payment', 'Align these fields');
  const { about } = await read(world, agent, 'Align these fields');
  await panel.click('tab-chat');
  await looks.panel('chat with a message that waits');
  await agent.call('respond_to_browser', {
    ...about,
    message: 'They share a grid now:\n\n```css\n.a { }\n```',
    isComplete: true,
  });
  await panel.says('chat-log', /They share a grid now/);
  await looks.panel('chat with an answer');
  const asking = agent.call('request_annotation', { message: 'Which button is too small?' });
  await world.page.bringToFront();
  await overlay.visible('asked');
  await looks.page('asked to point');
  await looks.panel('chat with a request to point');
  await world.page.bringToFront();
  await overlay.click('asked-decline');
  await asking;
});

accessible(
  'after an edit of what an agent works on',
  { app: 'moving', path: '/tides' },
  async (world, looks) => {
    const { overlay } = world;
    const source = new Source(world.project);
    const title = await world.comment('#tides-title', 'Say for where');
    const high = await world.comment('#high', 'Which day?');
    const agent = await world.agent();
    await world.delivered(agent, title);
    await agent.call('update_comment', { commentId: title, stage: 'in_progress' });
    await overlay.pin(title, 'is worked on', ({ stage }) => stage === 'in_progress');
    await source.edit('moving.js', "'Tides')", "'Tides of the outer harbour')");
    await world.until('the pin asks', () => overlay.$(`${own(`pin-${title}`)}[data-asked]`));
    await overlay.openThread(title);
    await overlay.visible('thread-asked');
    await looks.page('changed, as asked?');
    const panel = await world.panel();
    await panel.find(`asked-${title}`);
    await looks.panel('changed, as asked?');
    // Of the other one nobody asked for anything.
    await source.edit('moving.js', "'14:20'", "'14:40 and again at 02:55'");
    await world.page.bringToFront();
    await overlay.pin(high, 'is outdated', ({ status }) => status === 'outdated');
    await overlay.openThread(high);
    await overlay.says('thread-verdict', /02:55/);
    await looks.page('thread of an outdated comment');
    await panel.page.bringToFront();
    await panel.page.waitForSelector(`[data-testid="comment-${high}"][data-status="outdated"]`);
    await looks.panel('an outdated comment');
  },
);

accessible(
  'where the element is gone from the source',
  { app: 'moving', path: '/tides', registered: false },
  async (world, looks) => {
    const high = await world.comment('#high', 'Which day?');
    await new Source(world.project).edit(
      'moving.js',
      "element('p', {}, 'High water at ', element('b', { id: 'high' }, '14:20')),",
      '',
    );
    await pinIs(world, high, 'is gone', ({ place }) => place === 'gone');
    await world.overlay.openThread(high);
    await looks.page('thread of an element that is gone');
    await looks.panel('an element that is gone');
  },
);

accessible(
  'where one of several may be meant',
  { app: 'moving', path: '/twins', registered: false },
  async (world, looks) => {
    const id = await world.comment('.door:nth-child(3)', 'This one only');
    await new Source(world.project).edit(
      'moving.js',
      'door(), door(), door()',
      '...Array.from({ length: 7 }, door)',
    );
    await pinIs(world, id, 'is unsure', ({ place }) => place === 'unsure');
    await world.overlay.openThread(id);
    await world.overlay.visible('candidate-1');
    await looks.page('which of several');
    await looks.panel('which of several');
  },
);

accessible(
  'where nobody can tell whether the source changed, and where we may not be',
  { registered: false, everySite: true },
  async (world, looks) => {
    let tide = 'High water at 14:20';
    const site = await otherSite(
      () =>
        `<!doctype html><html lang="en"><title>Tides</title><h1>Tides</h1><p id="high">${tide}</p></html>`,
    );
    try {
      await world.page.goto(site.url);
      const id = await world.comment('#high', 'Which day?');
      tide = 'Low water at 08:05';
      await world.page.reload();
      await pinIs(world, id, 'may have changed', ({ words }) => /may have changed/i.test(words));
      await world.overlay.openThread(id);
      await world.overlay.says('thread-verdict', /May have changed/i);
      await looks.page('may have changed');
      await looks.panel('may have changed');
      await world.browser.allowEverywhere(false);
      await (await world.panel()).find('not-allowed');
      await looks.panel('not allowed here');
    } finally {
      site.stop();
    }
  },
);
