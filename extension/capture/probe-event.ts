/**
 * Name of the event that carries a question to the probe; the answer comes on a channel of a random name. The number is
 * raised with each change of questions or answers: what an older extension left in the page hears none of ours. No
 * question ends a probe.
 */
export const PROBE_EVENT = 'opentoolbar:probe:2';
