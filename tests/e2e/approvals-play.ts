/** An agent asks before a risky step, and a person reads what it says. Played by the demo. */
import { inBothColours, type Moment } from './harness/colours.ts';
import type { World } from './harness/world.ts';

export async function playApprovals(world: World, moment: Moment): Promise<void> {
  const agent = await world.agent('claude-code');
  const panel = await world.panel();
  await panel.page.bringToFront();
  await panel.says('connection-agent', /claude-code/);
  await panel.click('tab-approvals');
  await panel.find('approvals-empty');
  const told = agent.call('request_verification', {
    action: 'Run the migration 0042 on staging',
    reason: 'The new column “roast_date” is needed before the form can show it.',
    context: 'ALTER TABLE orders ADD COLUMN roast_date date;\nUPDATE orders SET roast_date = created_at;',
  });
  // What it is told in the end is of no interest here.
  told.catch(() => undefined);
  await panel.says('marks-approvals', /1/);
  await inBothColours(world, panel.page, '11-approvals', moment);
  await world.page.bringToFront();
  await world.overlay.visible('approval');
  await moment('12-approval-on-page', world.page);
  await panel.page.bringToFront();
  const reject = await panel.page.$eval('[data-testid^="reject-v_"]', (one) =>
    one.getAttribute('data-testid'),
  );
  await panel.decide(reject ?? '');
  await told;
}
