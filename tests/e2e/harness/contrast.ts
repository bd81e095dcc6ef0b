/**
 * The contrast of every text and of every button's icon with what is drawn behind it. axe-core leaves most of them
 * undecided: text of one letter, arrows, whatever stands on shapes that a style sheet draws, and nearly all that is in
 * the top layer.
 */

/**
 * What is too faint, one line each; what cannot be decided as well. Runs in the browser: it knows its argument alone.
 */
export function faint(scope: Document | ShadowRoot): string[] {
  type Colour = [red: number, green: number, blue: number, alpha: number];
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const pen = canvas.getContext('2d', { willReadFrequently: true });
  const known = new Map<string, Colour>();
  /** Of any form in which styles are computed. */
  const colour = (css: string): Colour => {
    const before = known.get(css);
    if (before) return before;
    if (!pen) throw new Error('no canvas');
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = css;
    pen.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0, alpha = 0] = pen.getImageData(0, 0, 1, 1).data;
    known.set(css, [red, green, blue, alpha / 255]);
    return [red, green, blue, alpha / 255];
  };
  const over = (front: Colour, opacity: number, back: Colour): Colour => {
    const alpha = front[3] * opacity;
    const whole = alpha + back[3] * (1 - alpha);
    const mix = (at: 0 | 1 | 2) =>
      whole === 0 ? 0 : (front[at] * alpha + back[at] * back[3] * (1 - alpha)) / whole;
    return [mix(0), mix(1), mix(2), whole];
  };
  const luminance = ([red, green, blue]: Colour) => {
    const [r = 0, g = 0, b = 0] = [red, green, blue].map((each) => {
      const channel = each / 255;
      return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (one: Colour, other: Colour) => {
    const [high = 0, low = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
  };
  const parentOf = (element: Element) => element.assignedSlot ?? element.parentElement;
  /** From the outermost to the element itself. */
  const around = (element: Element) => {
    const all: Element[] = [];
    for (let at: Element | null = element; at; at = parentOf(at)) all.unshift(at);
    return all;
  };
  /**
   * What is drawn of an element behind its content: its own colour, and shapes that a style sheet draws over the whole
   * of it.
   */
  const fillOf = (element: Element): Colour => {
    let fill = colour(getComputedStyle(element).backgroundColor);
    for (const which of ['::before', '::after']) {
      const shape = getComputedStyle(element, which);
      const isWhole = ['top', 'right', 'bottom', 'left'].every(
        (side) => Number.parseFloat(shape.getPropertyValue(side)) <= 0,
      );
      if (shape.content !== 'none' && shape.position === 'absolute' && isWhole)
        fill = over(colour(shape.backgroundColor), Number(shape.opacity), fill);
    }
    return fill;
  };
  /** A point without the content and one with it, over what is behind all of ours. */
  const drawn = (element: Element, content: Colour, base: Colour): [Colour, Colour] => {
    let back: Colour = [0, 0, 0, 0];
    let front = content;
    // Of each element what is in it is drawn first, and made fainter as a whole.
    for (const each of around(element).reverse()) {
      const fill = fillOf(each);
      const opacity = Number(getComputedStyle(each).opacity);
      [back, front] = [over(back, 1, fill), over(front, 1, fill)].map(
        ([red, green, blue, alpha]): Colour => [red, green, blue, alpha * opacity],
      ) as [Colour, Colour];
    }
    return [over(back, 1, base), over(front, 1, base)];
  };
  /** Behind the panel is the browser's own colour. Behind what stands on a page is anything. */
  const bases: Colour[] = scope === document ? [colour('Canvas')] : [colour('black'), colour('white')];
  const isDisabled = (element: Element) => element.closest(':disabled, [aria-disabled="true"]') !== null;
  const isSeen = (element: Element) => {
    const { width, height } = element.getBoundingClientRect();
    // Text for screen readers alone is a pixel large.
    const isClipped = around(element).some((each) => {
      const style = getComputedStyle(each);
      return style.clipPath !== 'none' || style.clip !== 'auto';
    });
    return width > 1 && height > 1 && !isClipped && element.checkVisibility({ visibilityProperty: true });
  };
  const found: string[] = [];
  const judge = (element: Element, what: string, css: string, least: number) => {
    const name = `${what} of <${element.localName} class="${element.getAttribute('class') ?? ''}"> “${(element.textContent ?? '').trim().slice(0, 40)}”`;
    if (around(element).some((each) => getComputedStyle(each).backgroundImage !== 'none'))
      return void found.push(`contrast: ${name} cannot be told: a picture is behind it`);
    const is = Math.min(...bases.map((base) => ratio(...drawn(element, colour(css), base))));
    if (is < least - 0.005) found.push(`contrast: ${name} is ${is.toFixed(2)}, not ${least}`);
  };
  for (const element of scope.querySelectorAll('*')) {
    if (!isSeen(element) || isDisabled(element)) continue;
    const style = getComputedStyle(element);
    const field = element as HTMLInputElement;
    const isField =
      element.matches('input, textarea') && !element.matches('[type="checkbox"], [type="radio"]');
    const hasText = [...element.childNodes].some(
      (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
    );
    const size = Number.parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const least = isLarge ? 3 : 4.5;
    if (hasText || (isField && field.value)) judge(element, 'text', style.color, least);
    else if (isField && field.placeholder)
      judge(element, 'placeholder', getComputedStyle(element, '::placeholder').color, least);
    // What is pressed and says what it does by its icon alone.
    const button = element.localName === 'svg' ? element.closest('button') : null;
    if (button && !button.textContent?.trim()) judge(element, 'icon', style.color, 3);
  }
  return found;
}
