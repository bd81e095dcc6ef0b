/**
 * Which attributes of an element are captured, and with what in them. What a person typed never is.
 * Knows nothing of layout or of the wire form.
 */
import { attributeOf, attributesOf, localNameOf } from './dom';
import { beginningOf, type Described, redactAttribute } from './redact';

/** Longest value that is kept, in UTF-16 units; a longer one is cut. */
const MAX_VALUE = 400;
/** Most attributes of one element that are kept. */
const MAX_ATTRIBUTES = 48;

/** Too long, too fickle or of no use for telling elements apart. `style` changes with every animation. */
const SKIPPED = new Set([
  'style',
  'nonce',
  'integrity',
  'srcdoc',
  'srcset',
  'sizes',
  'd',
  'points',
  'fetchpriority',
]);

/** Inputs whose `value` is a label or an option written by the author, not something a person types. */
const LABEL_INPUTS = new Set(['button', 'submit', 'reset', 'checkbox', 'radio']);
const VALUE_ELEMENTS = new Set(['button', 'option', 'li', 'data', 'meter', 'progress', 'param']);

function valueIsAuthored(element: Element): boolean {
  const name = localNameOf(element);
  if (name === 'input') {
    return LABEL_INPUTS.has((attributeOf(element, 'type') ?? 'text').toLowerCase());
  }
  return VALUE_ELEMENTS.has(name);
}

/**
 * What redaction asks of an element, answered by the element and not by a field of a form that has the question's name.
 */
function described(element: Element): Described {
  if (localNameOf(element) !== 'form') return element;
  return {
    localName: localNameOf(element),
    getAttribute: (name) => attributeOf(element, name),
  };
}

/** Calls `keep` with each attribute that may leave the page, redacted, in document order. */
export function eachAttribute(element: Element, keep: (name: string, value: string) => void): void {
  const attributes = attributesOf(element);
  const asked = described(element);
  const count = Math.min(attributes.length, MAX_ATTRIBUTES);
  for (let at = 0; at < count; at++) {
    const attribute = attributes[at];
    if (!attribute) continue;
    const name = attribute.name;
    if (SKIPPED.has(name) || name.startsWith('on')) continue;
    if (name === 'value' && !valueIsAuthored(element)) continue;
    keep(
      name,
      beginningOf(attribute.value, MAX_VALUE, (value) => redactAttribute(asked, name, value)),
    );
  }
}
