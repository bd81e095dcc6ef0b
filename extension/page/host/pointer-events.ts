/**
 * Every event of mouse, pen and finger that a page could hear; what we take from the page or keep from it is taken by
 * this list.
 */
export const POINTER_EVENTS = [
  'pointerdown',
  'pointerup',
  'pointermove',
  'pointerover',
  'pointerout',
  'mousedown',
  'mouseup',
  'mousemove',
  'mouseover',
  'mouseout',
  'click',
  'dblclick',
  'auxclick',
  'contextmenu',
  'touchstart',
  'touchmove',
  'touchend',
] as const;
