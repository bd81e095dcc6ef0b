/**
 * A person asks about an element, two agents of one name work on it, one answers, and one hangs. Played by the demo.
 */
import { inBothColours, type Moment } from './harness/colours.ts';
import { whileStopped } from './harness/processes.ts';
import type { World } from './harness/world.ts';

const QUESTION = 'Why do these fields not line up?';
const ANSWER = `The form is laid out by \`float\`, and the two short fields differ in their **margins**. A grid is enough:

\`\`\`css
.payment {
  display: grid;
  grid-template-columns: 2fr 1fr 1fr;
  gap: 8px;
}
\`\`\`

1. \`components/PaymentForm.css\`: the grid above, no floats.
2. \`components/PaymentForm.html\` stays as it is.
`;

export async function playChat(world: World, moment: Moment): Promise<void> {
  const { overlay } = world;
  const panel = await world.panel();
  await panel.click('tab-chat');
  await world.startPickingInPanel();
  await overlay.pick('.payment');
  await overlay.type(QUESTION);
  await overlay.click('chat-submit');
  await overlay.gone('comment-box');

  const agent = await world.agent('claude-code');
  const second = await world.agent('claude-code');
  await panel.page.bringToFront();
  await panel.says('connection-agent', /claude-code/);
  const about = await world.until('the agent reads the question', async () => {
    const { value } = await agent
      .call('get_ui_context')
      .catch(() => ({ value: {} as Record<string, unknown> }));
    const { sessionId, contextId, userMessage } = value as Record<string, string | undefined>;
    return sessionId && contextId && userMessage === QUESTION ? { sessionId, contextId } : null;
  });
  const { sessionId } = about;
  await agent.call('respond_to_browser', { ...about, message: ANSWER, isComplete: true });
  await panel.click('composer');
  await panel.type('composer', 'Do that, and see that the tests pass.');
  await panel.page.keyboard.press('Enter');
  await agent.call('update_status', { sessionId, status: 'editing', detail: 'PaymentForm.css' });
  await second.call('update_status', { sessionId, status: 'searching', detail: 'tests of the form' });
  await panel.says('chat-status', /claude-code [\d.]+ is editing: PaymentForm\.css/);
  await panel.says('chat-status', /claude-code [\d.]+ \(2\) is searching: tests of the form/);
  // That the first of them has asked for something is told with the next round trip.
  await panel.says('connection-agent', /Connected/);
  await inBothColours(world, panel.page, '9-chat', moment);

  await second.close();
  await whileStopped(agent.serverPid, async () => {
    await panel.says('connection-agent', /No answer/);
    await inBothColours(world, panel.page, '10-chat-no-answer', moment);
  });
}
