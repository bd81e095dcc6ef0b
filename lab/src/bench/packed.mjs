/** A capture's JSON as the core takes it: numbers as typed arrays, strings as one text of which each ends in U+0000. */
export function packed(json) {
  const capture = JSON.parse(json);
  return {
    ...capture,
    strings: capture.strings.map((string) => `${string}\0`).join(''),
    nodes: Int32Array.from(capture.nodes),
    attributes: Uint32Array.from(capture.attributes),
    drawings: Uint32Array.from(capture.drawings ?? []),
  };
}

/** Asks for targets as a tab that never saw the elements and was loaded after a change of the source. */
export function sought(anchors, targets) {
  return targets.map(({ anchor }) => ({ anchor: anchors.keep(anchor), evidence: 'loaded' }));
}
