// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { openModal, watchModals } from './modal';

let end = new AbortController();
afterEach(() => {
  end.abort();
  end = new AbortController();
  vi.restoreAllMocks();
  document.body.innerHTML = '';
});

/** Counts searches of the page; this DOM knows no `:modal`. */
function countSearches(open: () => Element[]) {
  return vi
    .spyOn(document, 'querySelectorAll')
    .mockImplementation(() => open() as unknown as NodeListOf<HTMLElement>);
}

test('while a page opens no dialog, asking again and again searches it once', () => {
  const searches = countSearches(() => []);
  watchModals(() => {}, end.signal);
  for (let move = 0; move < 1_000; move++) expect(openModal()).toBeNull();
  expect(searches).toHaveBeenCalledTimes(1);
});

test('a dialog that opens is found, and one that closed or left is not kept', async () => {
  const dialog = document.createElement('dialog');
  let isModal = false;
  Object.assign(dialog, { matches: () => isModal });
  document.body.append(dialog);
  const searches = countSearches(() => (isModal ? [dialog] : []));
  let opened = 0;
  watchModals(() => opened++, end.signal);
  expect(openModal()).toBeNull();
  isModal = true;
  dialog.setAttribute('open', '');
  await vi.waitFor(() => expect(openModal()).toBe(dialog));
  expect(opened).toBe(1);
  const before = searches.mock.calls.length;
  for (let move = 0; move < 1_000; move++) openModal();
  expect(searches.mock.calls.length).toBe(before);
  isModal = false;
  expect(openModal()).toBeNull();
});
