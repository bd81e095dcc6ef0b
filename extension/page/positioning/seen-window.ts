/** How much of the page is seen: the window without its scroll bars, where the browser draws those beside the page. */
export function seenWindow(): { width: number; height: number } {
  // Of the element that scrolls the window the browser tells its own size, whatever the page gives it.
  const root = document.scrollingElement;
  return {
    width: Math.min(innerWidth, root?.clientWidth || innerWidth),
    height: Math.min(innerHeight, root?.clientHeight || innerHeight),
  };
}
