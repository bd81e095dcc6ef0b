/**
 * Fields that show a secret in clear, told by what they are called: for pictures alone, where a field too many costs little. What leaves
 * a page as text is judged by `redact.ts`, in the same way as in the core. Reads attributes and labels only.
 */
import { attributeOf, ownerDocumentOf, rootNodeOf, textContentOf } from './dom';

/** Whole words of a `name` or an `id`. */
const WORDS = new Set(
  'pw pwd pass passwd password passcode passphrase passwort pin otp totp mfa 2fa tan cvc cvv csc secret'.split(
    ' ',
  ),
);
/** As the whole `name` or `id`: as a part of one, it is anybody's (`zip_code`). */
const NAMES = new Set(['code']);

/** Words as people read them, in languages that separate words, and in those that do not. */
const LABEL = new RegExp(
  `${[
    // German, English, Nordic, Dutch
    'pass[ -]?(?:word|code|phrase|wort|ord)',
    'k(?:enn|od)wort',
    'wachtwoord',
    'l[öo]senord',
    'adgangskode',
    'salasana',
    // Romance
    'mot de passe',
    'contrase(?:ñ|ny)a',
    'senha',
    'palavra[ -]passe',
    'parol[aăeă]',
    // Slavic, Baltic, Hungarian, Greek, Turkish
    'has[łl]o',
    'heslo',
    'парол',
    'лозинк',
    'lozinka',
    'geslo',
    'slaptažodis',
    'jelsz[óo]',
    'κωδικός πρόσβασης',
    'şifre',
    // Asia and the Near East
    '密[码碼]',
    '口令',
    'パスワード',
    '暗証番号',
    '비밀번호',
    '암호',
    'mật khẩu',
    'kata sandi',
    'รหัสผ่าน',
    'पासवर्ड',
    'كلمة (?:المرور|السر)',
    'رمز عبور',
    'סיסמ[אה]',
    // Codes
    '(?:one[ -]time|verification|security|access|einmal|sicherheits|bestätigungs)[ -]?code',
  ].join('|')}|(?<![\\p{L}\\p{N}])(?:pin|otp|cvc|cvv)(?![\\p{L}\\p{N}])`,
  'iu',
);
/** A label is short; what is longer is a text that mentions a password, UTF-16 units. */
const MAX_LABEL = 80;

/** Types of an input that show no text of their own. */
const WITHOUT_TEXT = new Set([
  'button',
  'checkbox',
  'color',
  'file',
  'hidden',
  'image',
  'radio',
  'range',
  'reset',
  'submit',
]);

/** Whether an `input` or a `textarea` shows a password, a PIN or a code, as far as its names and labels say. */
export function showsSecret(field: Element): boolean {
  if (WITHOUT_TEXT.has(attributeOf(field, 'type')?.trim().toLowerCase() ?? '')) return false;
  if (['name', 'id'].some((name) => isSecretName(attributeOf(field, name) ?? ''))) return true;
  return labelsOf(field).some(isSecretLabel);
}

/** `userPwd`, `user-pwd` and `user_pwd` are two words. */
export function isSecretName(name: string): boolean {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return (
    NAMES.has(name.toLowerCase()) ||
    words.some((word) => WORDS.has(word.replace(/\d$/, '')) || WORDS.has(word))
  );
}

export function isSecretLabel(label: string): boolean {
  return label.length <= MAX_LABEL && LABEL.test(label);
}

function labelsOf(field: Element): string[] {
  const own = ['aria-label', 'placeholder', 'title'].map((name) => attributeOf(field, name) ?? '');
  const root = rootNodeOf(field);
  const ids = (attributeOf(field, 'aria-labelledby') ?? '').split(/\s+/).filter(Boolean).slice(0, 8);
  const scope = 'getElementById' in root ? (root as Document | ShadowRoot) : ownerDocumentOf(field);
  const named = ids.map((id) => textOf(scope.getElementById(id)));
  const labels = [...((field as HTMLInputElement).labels ?? [])].map(textOf);
  return [...own, ...named, ...labels];
}

function textOf(element: Element | null): string {
  return (element && textContentOf(element)?.replace(/\s+/g, ' ').trim()) || '';
}
