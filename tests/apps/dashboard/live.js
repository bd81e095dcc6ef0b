// Served by the dev server into every page: shows an edit of a file at once, without losing the page's state.
const events = new EventSource('/__live');

events.addEventListener('change', async (event) => {
  const { file } = JSON.parse(event.data);
  if (file.endsWith('.css')) {
    for (const link of document.querySelectorAll('link[rel=stylesheet]')) {
      const url = new URL(link.href);
      if (url.pathname !== `/${file}`) continue;
      url.searchParams.set('t', String(Date.now()));
      link.href = url.href;
    }
  } else if (file.startsWith('components/') && file.endsWith('.html')) {
    const text = await (await fetch(location.pathname, { headers: { accept: 'text/html' } })).text();
    const fresh = new DOMParser().parseFromString(text, 'text/html');
    // The part's own elements say which file they come from.
    const roots = (root) =>
      [...root.querySelectorAll(`[data-inspector-relative-path="${file}"]`)].filter(
        (element) => !element.parentElement?.closest(`[data-inspector-relative-path="${file}"]`),
      );
    const [before, after] = [roots(document), roots(fresh)];
    if (before.length !== after.length) return location.reload();
    before.forEach((element, at) => element.replaceWith(document.adoptNode(after[at])));
    dispatchEvent(new Event('dashboard:replaced'));
  } else {
    location.reload();
  }
});
