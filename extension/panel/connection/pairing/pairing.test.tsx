// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import type { Connection } from '../../../state/connection';
import { drawnPanel, find, the } from '../../../testing/panel/drawn';
import { FixturePlatform } from '../../../testing/panel/fixture-platform';
import { connection, tabState } from '../../../testing/panel/states';

const HOST = { host: 'buildbox', address: '127.0.0.1:7847', isKnown: true };
const { draw, end, settle, click, write } = drawnPanel(5);

async function show(over: Partial<Connection>): Promise<FixturePlatform> {
  const platform = new FixturePlatform(tabState({ connection: connection(over) }));
  await draw(platform);
  await settle();
  return platform;
}

async function submit() {
  the('pairing-form').dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
  await settle();
}

test('pairing is offered where there is no host, and not where there is one', async () => {
  await show({ hub: 'none' });
  expect(the('pairing-offer').textContent).toContain('No host was found on this machine');
  end();
  await show({ hub: 'connected', way: 'native' });
  expect(find('pairing-offer')).toBeNull();
  expect(find('paired-button')).toBeNull();
});

test('the form asks for code and address, and sends both', async () => {
  const platform = await show({ hub: 'none' });
  await click('pair');
  expect(document.activeElement).toBe(the('pairing-code'));
  expect((the('pairing-address') as HTMLInputElement).value).toBe('127.0.0.1:7847');
  await submit();
  expect(the('pairing-error').textContent).toContain('Type the code');
  expect(platform.asked.map(({ type }) => type)).not.toContain('pair');
  platform.answers.set('pair', HOST);
  await write('pairing-code', 'k7mx-q2rt');
  await write('pairing-address', '7848');
  await submit();
  expect(platform.asked.at(-1)).toEqual({ type: 'pair', payload: { address: '7848', code: 'k7mx-q2rt' } });
  expect(find('pairing-form')).toBeNull();
  expect(the('announcement').textContent).toBe('Paired with buildbox.');
});

test('what goes wrong is said at the code, and what was typed stays', async () => {
  const platform = await show({ hub: 'none' });
  await click('pair');
  await write('pairing-code', 'AAAA-AAAA');
  platform.failNext = 'The code is wrong; 4 more tries. Type it as `opentoolbar pair` printed it.';
  await submit();
  const error = the('pairing-error');
  expect(error.getAttribute('role')).toBe('alert');
  expect(error.querySelector('code')?.textContent).toBe('opentoolbar pair');
  const code = the('pairing-code') as HTMLInputElement;
  expect(code.value).toBe('AAAA-AAAA');
  expect(code.getAttribute('aria-invalid')).toBe('true');
  expect(code.getAttribute('aria-describedby')).toBe(error.id);
});

test('Escape leaves the form, and the keyboard goes back to where it came from', async () => {
  await show({ hub: 'none' });
  await click('pair');
  the('pairing-code').dispatchEvent(
    new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }),
  );
  await settle();
  expect(find('pairing-form')).toBeNull();
  expect(document.activeElement).toBe(the('pair'));
});

test('the paired host is shown on demand, with what it is to the connection, and can be forgotten', async () => {
  const platform = await show({ hub: 'connected', way: 'gateway', paired: HOST });
  expect(the('paired-button').getAttribute('aria-label')).toBe('Paired with buildbox (127.0.0.1:7847)');
  expect(find('paired')).toBeNull();
  await click('paired-button');
  expect(the('paired').textContent).toContain('Connected to buildbox (127.0.0.1:7847) by pairing');
  await click('forget-pairing');
  expect(platform.asked.at(-1)).toEqual({ type: 'forget_pairing', payload: {} });
  expect(the('announcement').textContent).toBe('Forgot buildbox.');
  platform.push(tabState({ connection: connection({ hub: 'connected', way: 'native', paired: HOST }) }));
  await settle();
  await click('paired-button');
  expect(the('paired').textContent).toContain('The host of this machine is in use');
});

test('a pairing that was taken back offers another, with the address that it had', async () => {
  const paired = { ...HOST, address: '127.0.0.1:9000', isKnown: false };
  await show({ hub: 'lost', hubDetail: 'It was taken back.', way: 'gateway', paired });
  expect(the('paired').textContent).toBe('This browser was paired with buildbox (127.0.0.1:9000).');
  await click('pair');
  expect((the('pairing-address') as HTMLInputElement).value).toBe('127.0.0.1:9000');
});
