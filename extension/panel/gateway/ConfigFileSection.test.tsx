// @vitest-environment happy-dom
/** The person saves the file with which an agent comes in over HTTP. */
import { expect, test } from 'vitest';
import { approvalsState } from '../../testing/approvals';
import { drawnPanel, the } from '../../testing/panel/drawn';
import { tabState } from '../../testing/panel/states';

const { show, click } = drawnPanel(5);

async function view() {
  localStorage.setItem('opentoolbar.panel.view', 'approvals');
  return show(tabState(), (platform) => {
    platform.approvals = approvalsState({});
  });
}

test('the file is saved as it came, and it is said how it is to be kept', async () => {
  const { platform } = await view();
  expect(the('config-saved').textContent).toBe('');
  platform.answers.set('get_gateway_config', { text: '{"token":"x"}\n', hasToken: true });
  await click('download-config');
  expect(platform.downloads).toEqual([{ name: 'opentoolbar-config.json', text: '{"token":"x"}\n' }]);
  expect(the('config-saved').textContent).toMatch(/holds the token.*chmod 600.*out of repositories/);
  expect(the('config-saved').getAttribute('role')).toBe('status');
});

test('a browser that was paired is told where the token is printed', async () => {
  const { platform } = await view();
  platform.answers.set('get_gateway_config', { text: '{}\n', hasToken: false });
  await click('download-config');
  expect(the('config-saved').textContent).toMatch(/without the token.*opentoolbar config/);
});

test('a gateway that is closed is said, and nothing is saved', async () => {
  const { platform } = await view();
  platform.failNext = 'The gateway is not open. Run `opentoolbar serve`.';
  await click('download-config');
  expect(the('config-saved').textContent).toContain('opentoolbar serve');
  expect(platform.downloads).toEqual([]);
  platform.answers.set('get_gateway_config', { text: '{}\n', hasToken: true });
  await click('download-config');
  expect(platform.downloads).toHaveLength(1);
});
