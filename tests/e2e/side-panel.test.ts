/** The panel where people have it, used by mouse and keyboard beside the page. */
import { type Beside, openBeside } from './harness/beside.ts';
import { Panel } from './harness/panel.ts';
import { scenarioOnScreen, type World } from './harness/world.ts';

scenarioOnScreen(
  'who clicks and types in the panel beside the page sees on the page, and an agent hears, what that does',
  {},
  async (world) => {
    const agent = await world.agent();
    const id = await world.comment('#refresh', 'Beside the page');
    await world.delivered(agent, id);
    const panel = await openBeside(world);

    await panel.click(`resolve-${id}`);
    await world.overlay.pin(id, 'is resolved', ({ status }) => status === 'resolved');

    await panel.click('tab-chat');
    await panel.click('composer');
    await panel.type('composer', 'Said beside the page');
    await panel.click('send');
    await panel.says('chat-log', /Said beside the page/);
    await world.until('the agent is handed what was said', async () => {
      const { value } = await agent.call('get_ui_context');
      return value.userMessage === 'Said beside the page';
    });

    // It is the page beside it that is pointed at.
    await panel.click('toggle-picking');
    await world.overlay.picking();
    await world.overlay.pick('#new-order');
    const { id: next } = await world.overlay.write('Pointed at from beside');
    await panel.click('tab-comments');
    await panel.says(`comment-${next}`, /Pointed at from beside/);
  },
);

/** Says something of an element in the page, to the chat. */
async function sayInPage({ overlay, page }: World, selector: string, text: string): Promise<void> {
  await overlay.picking();
  await overlay.pick(selector);
  await overlay.type(text);
  await overlay.click('chat-submit');
  await overlay.gone('comment-box');
  await overlay.says('notice', /^Sent to chat/);
  await page.bringToFront();
}

scenarioOnScreen(
  'what is sent to the chat is shown there by the notice’s button, whether the panel is open or not',
  {},
  async (world) => {
    await world.startPicking();
    await sayInPage(world, '#refresh', 'Said without a panel');
    await world.overlay.click('notice-action');
    let panel: Beside;
    if (world.browser.name === 'chromium') {
      panel = new Panel(await world.browser.sidePanel());
      await panel.says('chat-log', /Said without a panel/);
    } else panel = await openBeside(world);

    // Open, it shows something else.
    await panel.click('tab-comments');
    await world.page.bringToFront();
    await panel.click('toggle-picking');
    await sayInPage(world, '#new-order', 'Said beside the list');
    await world.overlay.click('notice-action');
    await panel.says('chat-log', /Said beside the list/);
  },
);
