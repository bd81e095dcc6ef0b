// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { textIn } from './text-in';

function element(html: string): Element {
  document.body.innerHTML = html;
  return document.body.firstElementChild as Element;
}

test('texts of different elements stand apart, and those of one stay together', () => {
  const page = element(
    '<main><h1>Tickets (<!-- -->2<!-- -->)</h1><button>all</button><button>open</button><p>\n  $9 <b>a month</b>\n</p></main>',
  );
  expect(textIn(page, 100)).toBe('Tickets (2) all open $9 a month');
});

test('what is no text of the page is left out, and no more is read than is shown', () => {
  expect(textIn(element('<div><style>p {}</style><script>let a;</script><p>Pay</p></div>'), 100)).toBe('Pay');
  const long = textIn(element(`<div>${'<p>word</p>'.repeat(400)}</div>`), 48);
  expect(long.length).toBeGreaterThanOrEqual(48);
  expect(long.length).toBeLessThan(60);
});
