/**
 * A page of about 10,000 nodes that rewrites parts of itself 60 times a second once `busy.start()` is called: texts tick,
 * classes flip, a list loses its last item and gets a new first one. `busy.record(ms)` tells how often it did.
 */
const GAUGES = 8;
const FEED = 12;
const LOTS = 480;
const FARMS = ['Harar', 'Sumatra', 'Antigua', 'Nyeri', 'Huila', 'Yirgacheffe', 'Tarrazu'];

const element = (tag, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
};

const gauges = document.querySelector('.gauges');
for (let at = 0; at < GAUGES; at++) {
  gauges.append(
    element('div', { className: 'gauge' }, element('h2', {}, `Drum ${at + 1}`), element('output', {}, '180.0 °C')),
  );
}
const feed = document.querySelector('.feed');
const weighing = (number) => element('li', {}, element('b', {}, `Bag ${number}`), element('span', {}, ` ${59 + (number % 7) / 10} kg`));
for (let at = 0; at < FEED; at++) feed.prepend(weighing(at));
const lots = document.querySelector('.lots');
const cell = (...children) => element('div', { className: 'cell' }, ...children);
for (let at = 0; at < LOTS; at++) {
  lots.append(
    element(
      'div',
      { className: 'lot' },
      cell(element('a', { href: `/lots/${at}` }, `Lot ${at}`)),
      cell(element('span', {}, FARMS[at % FARMS.length])),
      cell(element('b', {}, String(10 + ((at * 7) % 90))), ' bags'),
      cell(element('span', { className: 'moisture' }, '11.2 %')),
      cell(element('span', { className: 'state' }, 'resting')),
      cell(element('button', { type: 'button' }, 'Cup')),
    ),
  );
}
const [outputs, cards, moistures, states] = ['.gauge output', '.gauge', '.moisture', '.state'].map((css) => [
  ...document.querySelectorAll(css),
]);

let timer;
let beats = 0;

function beat() {
  beats++;
  for (const [at, output] of outputs.entries()) output.firstChild.data = `${(180 + ((beats + at * 13) % 400) / 10).toFixed(1)} °C`;
  cards[beats % cards.length].classList.toggle('hot');
  for (let at = 0; at < 20; at++) {
    const row = (beats * 20 + at) % moistures.length;
    moistures[row].textContent = `${(10 + ((beats + at) % 30) / 10).toFixed(1)} %`;
    states[row].className = `state ${beats % 2 ? 'resting' : 'moving'}`;
  }
  feed.lastElementChild.remove();
  feed.prepend(weighing(FEED + beats));
}

/** How often it rewrote itself over a time, which ends with a frame. */
async function record(milliseconds) {
  const [began, beatsBefore] = [performance.now(), beats];
  await new Promise((resolve) => {
    const frame = () => {
      if (performance.now() - began < milliseconds) requestAnimationFrame(frame);
      else resolve();
    };
    requestAnimationFrame(frame);
  });
  return { took: performance.now() - began, beats: beats - beatsBefore };
}

globalThis.busy = {
  start() {
    timer ??= setInterval(beat, 1000 / 60);
  },
  stop() {
    clearInterval(timer);
    timer = undefined;
  },
  record,
};
