/** Which sites opentoolbar may run on. Match patterns without a port match every port. */

/** Local dev servers: allowed from the start. */
export const LOCAL_SITES = [
  'http://localhost/*',
  'https://localhost/*',
  'http://*.localhost/*',
  'https://*.localhost/*',
  'http://127.0.0.1/*',
  'https://127.0.0.1/*',
  'http://[::1]/*',
  'https://[::1]/*',
];

/** Whether a host is one of those. */
export const isLocal = (hostname: string): boolean =>
  /^(localhost|127\.0\.0\.1|\[::1\]|.+\.localhost)$/.test(hostname);

/** Everything else: allowed one site at a time, when the person asks for it. */
export const OTHER_SITES = ['http://*/*', 'https://*/*'];
