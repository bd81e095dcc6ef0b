/**
 * Fields that show a secret in clear, told by what they are called: for pictures alone, where a field too many costs
 * little. What leaves a page as text is judged by `redact.ts`, in the same way as in the core. Reads attributes and
 * labels only.
 */
import {
  attributeOf,
  beginningOfText,
  firstChildOf,
  nextSiblingOf,
  nodeTypeOf,
  ownerDocumentOf,
  parentNodeOf,
  rootNodeOf,
} from './dom';

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

/**
 * How much of a label is read: a field in a long text may have all of it for its label, and so may every other field
 * there.
 */
const MAX_NODES = 1_000;
const MAX_UNITS = 1_000;

/** Whether an `input` or a `textarea` shows a password, a PIN or a code, as far as its names and labels say. */
export function showsSecret(field: Element, labels: readonly Element[] = []): boolean {
  if (WITHOUT_TEXT.has(attributeOf(field, 'type')?.trim().toLowerCase() ?? '')) return false;
  if (['name', 'id'].some((name) => isSecretName(attributeOf(field, name) ?? ''))) return true;
  return labelsOf(field, labels).some(isSecretLabel);
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

function labelsOf(field: Element, labels: readonly Element[]): string[] {
  const own = ['aria-label', 'placeholder', 'title'].map((name) => attributeOf(field, name) ?? '');
  const root = rootNodeOf(field);
  const ids = (attributeOf(field, 'aria-labelledby') ?? '').split(/\s+/).filter(Boolean).slice(0, 8);
  const scope = 'getElementById' in root ? (root as Document | ShadowRoot) : ownerDocumentOf(field);
  const named = ids.map((id) => textOf(scope.getElementById(id)));
  return [...own, ...named, ...labels.map(textOf)];
}

/**
 * What it says, as far as it is read: an icon of many parts within makes no label unread, only too much text makes it
 * no label.
 */
function textOf(element: Element | null): string {
  let text = '';
  let node: Node | null = element;
  for (let left = MAX_NODES; node && left > 0 && text.length < MAX_UNITS; left--) {
    const type = nodeTypeOf(node);
    if (type === TEXT || type === CDATA) text += beginningOfText(node, 0, MAX_UNITS);
    node = nodeAfter(node, element);
  }
  return text.replace(/\s+/g, ' ').trim();
}

/** In the order of the page, within `top`. */
function nodeAfter(node: Node, top: Node | null): Node | null {
  const child = firstChildOf(node);
  if (child) return child;
  for (let at: Node | null = node; at && at !== top; at = parentNodeOf(at)) {
    const next = nextSiblingOf(at);
    if (next) return next;
  }
  return null;
}

const TEXT = 3;
const CDATA = 4;
