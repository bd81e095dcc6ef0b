/** The panel where people have it, used by mouse and keyboard beside the page. */
import { openBeside } from './harness/beside.ts';
import { scenarioOnScreen } from './harness/world.ts';

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
