import { defineContentScript } from 'wxt/utils/define-content-script';
import { LOCAL_SITES } from '../sites';

/** Reads framework internals in the page's main world. Has no extension API, and the page can see and forge all it says. */
export default defineContentScript({
  matches: LOCAL_SITES,
  allFrames: false,
  runAt: 'document_idle',
  world: 'MAIN',
  main() {},
});
