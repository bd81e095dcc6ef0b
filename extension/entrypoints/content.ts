import { defineContentScript } from 'wxt/utils/define-content-script';
import { LOCAL_SITES } from '../sites';

/** Eyes and hands: runs in the isolated world of the top frame and reads same-origin frames from there. */
export default defineContentScript({
  matches: LOCAL_SITES,
  allFrames: false,
  runAt: 'document_idle',
  main() {},
});
