// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';
import { shadowReach } from './drawing';
import { findSecrets } from './secrets';
import { isSecretLabel, isSecretName, showsSecret } from './shown-secrets';

/** What was read of the page's text, in nodes and in UTF-16 units. */
const read = vi.hoisted(() => ({ nodes: 0, units: 0 }));

vi.mock('./dom', async (original) => {
  const dom = await original<typeof import('./dom')>();
  const counted = <T>(text: T): T => {
    read.nodes += 1;
    read.units += typeof text === 'string' ? text.length : 0;
    return text;
  };
  return {
    ...dom,
    // Here the prototype's own getter says nothing.
    textContentOf: (node: Node) => counted(node.textContent),
    beginningOfText: (node: Node, from: number, units: number) =>
      counted(dom.beginningOfText(node, from, units)),
  };
});

test.each([
  'pw',
  'userPwd',
  'new_pass',
  'pin',
  'pinCode',
  'login-otp',
  'password2',
  'card[cvc]',
  'code',
  'Code',
])('a field called %s holds a secret', (name) => expect(isSecretName(name)).toBe(true));

test.each([
  '',
  'spin',
  'shipping',
  'compass',
  'passenger',
  'zip_code',
  'country-code',
  'codec',
  'pwa',
  'company',
  'opinion',
])('a field called %s holds none', (name) => expect(isSecretName(name)).toBe(false));

test.each([
  'Password',
  'Your pass phrase',
  'Passwort wiederholen',
  'Kennwort',
  'Mot de passe',
  'Contraseña',
  'Senha',
  'Parola',
  'Hasło',
  'Пароль',
  'Şifre',
  '密码',
  'パスワード（確認）',
  '비밀번호',
  'Mật khẩu',
  'كلمة المرور',
  'PIN',
  'Card PIN:',
  'Security code',
  'Einmalcode',
])('a field labelled %s holds a secret', (label) => expect(isSecretLabel(label)).toBe(true));

test.each([
  'Name',
  'Pinned items',
  'Shipping',
  'Promo code',
  'Passport number',
  'Passenger',
  'Code',
  'Search',
  'Description of what should happen when somebody has forgotten the password of an account',
])('a field labelled %s holds none', (label) => expect(isSecretLabel(label)).toBe(false));

test('labels are found in attributes, and not of fields without a text', () => {
  document.body.innerHTML = `
    <input id="aloud" aria-label="Password"><textarea id="held" placeholder="Password"></textarea>
    <input id="box" type="checkbox" aria-label="Show password"><input id="plain" aria-label="Name">`;
  const shown = [...document.querySelectorAll('input, textarea')]
    .filter((field) => showsSecret(field))
    .map(({ id }) => id);
  expect(shown).toEqual(['aloud', 'held']);
});

test.each([
  ['none', 0],
  ['blur(3px)', 0],
  ['drop-shadow(rgb(1, 2, 3) 0px -60px 0px)', 60],
  ['drop-shadow(rgb(1, 2, 3) 30px -40px 0px)', 50],
  ['drop-shadow(rgba(0, 0, 0, 0.5) 0px 4px 6px) drop-shadow(rgb(1, 2, 3) 10px 0px 0px)', 32],
  ['drop-shadow(color-mix(in srgb, currentcolor, rgb(1, 2, 3)) 0px 60px 0px)', 60],
  ['drop-shadow(rgb(from currentcolor r g calc(b + (1 * 2))) 0px 1e+2px 0px) blur(3px)', 100],
])('the shadows of %s reach %i pixels', (filter, reach) => expect(shadowReach(filter)).toBe(reach));

test('labels are found by what they are for and by what they hold, in every root', () => {
  document.body.innerHTML = `
    <input id="after"><label for="after">Pass<b>word</b></label>
    <label>PIN <input id="within"></label>
    <label>Name <input id="plain"></label>
    <p id="says">Security <i>code</i></p><input id="named" aria-labelledby="says">
    <div id="host"></div>`;
  const shadow = document.querySelector('#host')?.attachShadow({ mode: 'open' });
  if (shadow) shadow.innerHTML = '<label>Kennwort <input id="deep"></label>';
  expect(findSecrets().fields.map(({ id }) => id)).toEqual(['after', 'within', 'named', 'deep']);
});

test('a long text that is the label of every field is not read for each of them', () => {
  const rows = Array.from(
    { length: 300 },
    (_, at) => `<p>${'word '.repeat(400)}<input aria-labelledby="all" id="f${at}"></p>`,
  );
  document.body.innerHTML = `<label id="all">${rows.join('')}</label>`;
  Object.assign(read, { nodes: 0, units: 0 });
  expect(findSecrets().fields).toEqual([]);
  expect(read.nodes).toBeLessThanOrEqual(2 * 300);
  expect(read.units).toBeLessThanOrEqual(300 * 2_000);
});

test.each([
  ['before', 120],
  ['before', 5_000],
  ['after', 120],
])('a label with its words %s an icon of %i parts is still a label', (where, parts) => {
  const icon = `<svg>${'<path></path>\n'.repeat(parts)}</svg>`;
  const says = where === 'before' ? `Passwort ${icon}` : `${icon} Passwort`;
  document.body.innerHTML = `<label>${says}<input id="own"></label><p id="says">${says}</p><input id="named" aria-labelledby="says">`;
  expect(findSecrets().fields.map(({ id }) => id)).toEqual(['own', 'named']);
});
