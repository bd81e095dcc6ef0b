// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { cheapHash } from './hash';

function hashOf(html: string): number {
  document.body.innerHTML = html;
  const element = document.body.firstElementChild;
  if (!element) throw new Error('no element');
  return cheapHash(element).hash;
}

it('differs when an icon or a picture inside is another one', () => {
  const icon = (d: string) => `<button><svg><path d="${d}"/></svg></button>`;
  expect(hashOf(icon('M0 0h1'))).not.toBe(hashOf(icon('M0 0v1')));
  expect(hashOf(icon('M0 0h1'))).toBe(hashOf(icon('M0 0h1')));
  const picture = (src: string) => `<a><img src="${src}"></a>`;
  expect(hashOf(picture('/a.png'))).not.toBe(hashOf(picture('/b.png')));
});

it('is the same when a style inside moves on', () => {
  const turned = (by: number) => `<button><svg style="transform: rotate(${by}deg)"></svg></button>`;
  expect(hashOf(turned(1))).toBe(hashOf(turned(2)));
});
