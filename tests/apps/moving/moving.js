/**
 * Pages that do not stand still, one at each path: a list that draws only what is in view (`/board`, `/`), parts that come long
 * after loading (`/stream`), twins (`/twins`), a page that writes itself anew 60 times a second once `runClock()` is called
 * (`/clock`), a counter and a dialog (`/cart`), rows that keep their nodes (`/stores`), and routes between them. `live.js` has it run anew after an edit, on the page as it stands.
 */
globalThis.stopMoving?.();
const life = new AbortController();
globalThis.stopMoving = () => life.abort();

const BERTHS = 5_000;
const ROW = 40;
const SHIPS = ['Alma', 'Brage', 'Cora', 'Dagny', 'Edda', 'Freya', 'Gudrun', 'Hulda', 'Idun', 'Jorunn', 'Kaia'];

const element = (tag, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
};

/** A row's content; a few nodes serve all rows, as in every list of this kind. */
function fill(row, at) {
  row.style.top = `${at * ROW}px`;
  row.dataset.berth = String(at);
  row.replaceChildren(
    element('b', {}, `Berth ${at}`),
    `${SHIPS[at % SHIPS.length]} ${1 + Math.floor(at / SHIPS.length)} unloads ${20 + ((at * 7) % 80)} tons`,
  );
}

function board() {
  const list = element('div', { className: 'rows' });
  list.style.height = `${BERTHS * ROW}px`;
  const view = element('div', { className: 'board', id: 'board' }, list);
  const draw = () => {
    const first = Math.max(0, Math.floor(view.scrollTop / ROW) - 2);
    const count = Math.min(BERTHS - first, 12);
    while (list.children.length < count) list.append(element('div', { className: 'berth' }));
    for (let at = 0; at < count; at++) fill(list.children[at], first + at);
  };
  view.addEventListener('scroll', () => requestAnimationFrame(draw));
  queueMicrotask(draw);
  return [element('h1', {}, 'Board'), view];
}

function tides() {
  return [
    element('h1', { id: 'tides-title' }, 'Tides'),
    element('p', {}, 'High water at ', element('b', { id: 'high' }, '14:20')),
  ];
}

/** What a server sends bit by bit: the last part comes after `?after=` milliseconds. */
function stream() {
  const after = Number(new URLSearchParams(location.search).get('after') ?? 0);
  const parts = element('section', { id: 'parts' }, element('p', {}, 'First part'));
  const last = () => parts.append(element('button', { id: 'last', type: 'button' }, 'Last part of the stream'));
  if (after > 0) setTimeout(last, after);
  else last();
  return [element('h1', {}, 'Stream'), parts];
}

function twins() {
  const door = () => element('button', { type: 'button', className: 'door' }, 'Open the gate');
  return [element('h1', {}, 'Twins'), element('div', { className: 'doors' }, door(), door(), door())];
}

function clock() {
  const face = element('output', { id: 'face' }, '0');
  const shop = element('div', { id: 'shop' });
  let beat = 0;
  const write = () => {
    face.textContent = String(beat++);
    // The whole part anew, as a page does that sets its markup from a template.
    shop.replaceChildren(element('button', { type: 'button', id: 'order' }, 'Order a pilot'));
  };
  write();
  const stand = setInterval(() => {
    if (globalThis.clockRuns) write();
    if (!face.isConnected) clearInterval(stand);
  }, 16);
  return [element('h1', {}, 'Clock'), face, shop];
}

/** A page that is used: a counter in a button, and a dialog. */
function cart() {
  let count = 0;
  const open = element('button', { type: 'button', id: 'open' }, 'Open cart (0)');
  const add = element('button', { type: 'button', id: 'add' }, 'Add coffee');
  const dialog = element(
    'dialog',
    { id: 'pay' },
    element('h2', {}, 'Pay'),
    element('button', { type: 'button', id: 'send' }, 'Send order'),
    element('button', { type: 'button', id: 'close' }, 'Not now'),
  );
  add.addEventListener('click', () => {
    open.textContent = `Open cart (${++count})`;
  });
  // As frameworks do it: what is closed is not on the page.
  open.addEventListener('click', () => {
    main.append(dialog);
    dialog.show();
  });
  dialog.querySelector('#close').addEventListener('click', () => dialog.remove());
  return [element('h1', {}, 'Cart'), open, add];
}

/** Rows of a keyed list: a node stays with its row, as frameworks keep it, whatever is sorted, taken out or counted. */
function stores() {
  const counts = { Rope: 1, Tar: 2, Sails: 5, Lamps: 7 };
  const nodes = new Map();
  const list = element('ul', { className: 'stores' });
  const row = (name) => {
    const count = element('span', { className: 'count' });
    const mark = element('em', { className: 'mark' });
    const less = element('button', { type: 'button', className: 'less' }, '−');
    const more = element('button', { type: 'button', className: 'more' }, '+');
    const gone = element('button', { type: 'button', className: 'gone' }, 'Strike off');
    const node = element('li', { id: name.toLowerCase() }, element('b', {}, name), mark, less, count, more, gone);
    const change = (by) => {
      counts[name] += by;
      draw();
    };
    less.addEventListener('click', () => change(-1));
    more.addEventListener('click', () => change(1));
    gone.addEventListener('click', () => {
      delete counts[name];
      draw();
    });
    return { node, count, mark };
  };
  const order = { turned: false };
  const draw = () => {
    const names = Object.keys(counts);
    if (order.turned) names.reverse();
    const rows = names.map((name) => {
      if (!nodes.has(name)) nodes.set(name, row(name));
      const { node, count, mark } = nodes.get(name);
      const [number, word] = [String(counts[name]), counts[name] < 2 ? 'short' : 'enough'];
      if (count.textContent !== number) count.textContent = number;
      if (mark.textContent !== word) mark.textContent = word;
      return node;
    });
    list.replaceChildren(...rows);
  };
  draw();
  const turn = element('button', { type: 'button', id: 'turn' }, 'Turn round');
  turn.addEventListener('click', () => {
    order.turned = !order.turned;
    draw();
  });
  return [element('h1', {}, 'Stores'), list, turn];
}

// Kept where an edit finds it again.
globalThis.clockRuns ??= false;
globalThis.runClock = () => {
  globalThis.clockRuns = true;
};

const PAGES = {
  '/': board,
  '/tides': tides,
  '/stream': stream,
  '/twins': twins,
  '/clock': clock,
  '/cart': cart,
  '/stores': stores,
};
const main = document.querySelector('main');
const show = () => main.replaceChildren(...(PAGES[location.pathname] ?? board)());

const onClick = (event) => {
  const link = event.target instanceof Element ? event.target.closest('nav a') : null;
  if (!link) return;
  event.preventDefault();
  history.pushState(null, '', link.getAttribute('href'));
  // As where the next route is loaded first.
  setTimeout(show, 200);
};
document.addEventListener('click', onClick, { signal: life.signal });
addEventListener('popstate', () => setTimeout(show, 200), { signal: life.signal });
show();
