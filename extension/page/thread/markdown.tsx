/**
 * Markdown from agents as nodes: never raw HTML, no pictures (they would call home), links that open apart and without
 * a referrer. micromark is safe by default; what it makes is taken over element by element all the same.
 */
import { micromark } from 'micromark';
import { type ComponentChild, h } from 'preact';

const KEPT = new Set([
  'p',
  'em',
  'strong',
  'code',
  'pre',
  'ul',
  'ol',
  'li',
  'blockquote',
  'br',
  'hr',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
]);

export function Markdown({ text }: { text: string }) {
  let children: ComponentChild[];
  try {
    const parsed = new DOMParser().parseFromString(micromark(text), 'text/html');
    children = [...parsed.body.childNodes].map(taken);
  } catch {
    // A page that demands trusted types forbids parsing: the plain text says the same.
    children = [h('p', {}, text)];
  }
  return <div class="markdown">{children}</div>;
}

function taken(node: Node): ComponentChild {
  if (node.nodeType === 3) return node.nodeValue;
  if (node.nodeType !== 1) return null;
  const element = node as Element;
  const children = [...element.childNodes].map(taken);
  if (element.localName === 'a') {
    const href = element.getAttribute('href') ?? '';
    if (!/^(https?:|mailto:)/i.test(href)) return h('span', {}, children);
    return h('a', { href, target: '_blank', rel: 'noopener noreferrer' }, children);
  }
  if (element.localName === 'img') return h('em', {}, element.getAttribute('alt') || 'picture');
  return KEPT.has(element.localName) ? h(element.localName, {}, children) : h('span', {}, children);
}
