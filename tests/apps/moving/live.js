// Served by the dev server into every page: a hot update. An edited script is loaded again under an address of its own, as dev
// servers do, and draws the open page anew.
new EventSource('/__live').addEventListener('change', (event) => {
  const { file } = JSON.parse(event.data);
  if (file === 'moving.js') void import(`/${file}?t=${Date.now()}`);
});
