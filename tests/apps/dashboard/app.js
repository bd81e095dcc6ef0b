// The dashboard's behaviour: routes without loading, a dialog, a list that renders itself anew.
import './roaster-status.js';

const titles = { '/': 'Orders', '/customers': 'Customers', '/help': 'Help' };

function show(path) {
  const known = path in titles ? path : '/';
  for (const view of document.querySelectorAll('[data-view]')) view.hidden = view.dataset.view !== known;
  for (const link of document.querySelectorAll('nav a')) {
    if (link.getAttribute('href') === known) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  document.getElementById('view-title').textContent = titles[known];
  document.title = known === '/' ? 'Nordlys Roasters' : `${titles[known]}, Nordlys Roasters`;
}

// Listening on the document: parts of the page are replaced while it is open.
document.addEventListener('click', (event) => {
  const target = event.target instanceof Element ? event.target : null;
  const link = target?.closest('nav a, a.brand');
  if (link && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    history.pushState(null, '', link.getAttribute('href'));
    show(location.pathname);
  }
  if (target?.closest('#new-order')) document.getElementById('order-dialog').showModal();
  if (target?.closest('#refresh')) renderOrders();
});
document.addEventListener('submit', (event) => {
  if (event.target instanceof Element && event.target.id === 'payment') event.preventDefault();
});
addEventListener('popstate', () => show(location.pathname));
addEventListener('dashboard:replaced', () => show(location.pathname));

/** Puts new nodes in place of the old ones, as a framework without keys would. */
function renderOrders() {
  const list = document.getElementById('order-list');
  list.replaceChildren(...[...list.children].map((item) => item.cloneNode(true)));
}

show(location.pathname);
