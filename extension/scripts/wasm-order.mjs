/**
 * The order of functions in which gzip finds most of what they have in common: it looks back 32 KB. Each next function
 * is the one that has most in common with what stands there already.
 */

/** Bytes that are compared at a time. */
const RUN = 6;
/** What more functions have than this tells none of them from the others. */
const MOST = 60;
/** How far gzip looks back, and a little less: the rest of the module is not counted. */
const WINDOW = 31_000;

/** The places of `bodies` in the new order. */
export function order(bodies) {
  const { runs, functions } = shared(bodies);
  const scores = new Float64Array(bodies.length);
  const seen = new Map();
  const weigh = (at, change) => {
    for (const run of runs[at]) {
      const times = (seen.get(run) ?? 0) + change;
      seen.set(run, times);
      if (times !== (change > 0 ? 1 : 0)) continue;
      const those = functions.get(run);
      for (const other of those) scores[other] += change / Math.sqrt(those.length);
    }
  };
  const sizes = bodies.map(({ length }) => (length + 8) ** 0.8);
  const left = new Set(bodies.keys());
  const placed = [];
  let behind = 0;
  let bytes = 0;
  let next = bodies.reduce((best, body, at) => (body.length > bodies[best].length ? at : best), 0);
  while (left.size > 0) {
    left.delete(next);
    placed.push(next);
    weigh(next, 1);
    for (bytes += bodies[next].length; bytes > WINDOW && behind < placed.length - 1; behind++) {
      bytes -= bodies[placed[behind]].length;
      weigh(placed[behind], -1);
    }
    let best = Number.NEGATIVE_INFINITY;
    for (const at of left) {
      const score = scores[at] / sizes[at];
      if (score > best) [best, next] = [score, at];
    }
  }
  return placed;
}

/** The runs of bytes that some functions share: by function, and the functions by run. */
function shared(bodies) {
  const functions = new Map();
  const all = bodies.map((body, at) => {
    const own = new Set();
    for (let from = 0; from + RUN <= body.length; from++) own.add(body.toString('latin1', from, from + RUN));
    for (const run of own) {
      const those = functions.get(run);
      if (those) those.push(at);
      else functions.set(run, [at]);
    }
    return own;
  });
  const isShared = (run) => functions.get(run).length > 1 && functions.get(run).length <= MOST;
  return { runs: all.map((own) => [...own].filter(isShared)), functions };
}
