// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { shadowReach } from './drawing';
import { isSecretLabel, isSecretName, showsSecret } from './shown-secrets';

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
  const shown = [...document.querySelectorAll('input, textarea')].filter(showsSecret).map(({ id }) => id);
  expect(shown).toEqual(['aloud', 'held']);
});

test.each([
  ['none', 0],
  ['blur(3px)', 0],
  ['drop-shadow(rgb(1, 2, 3) 4px -60px 0px)', 60],
  ['drop-shadow(rgba(0, 0, 0, 0.5) 0px 4px 6px) drop-shadow(rgb(1, 2, 3) 10px 0px 0px)', 32],
])('the shadows of %s reach %i pixels', (filter, reach) => expect(shadowReach(filter)).toBe(reach));
