/** How much larger an element's own transforms draw a length in it, at most. Reads computed styles only. */

/** What an element does to what is in it. */
export interface Enlargement {
  /** How much longer a length is drawn than it is; never below 1. */
  factor: number;
  /** Whether it moves what is in it out of the plane of the screen: how large that is drawn, a perspective decides. */
  isDeep: boolean;
  /** Whether its transform has a perspective of its own. */
  hasPerspective: boolean;
}

/** By its `transform`, `scale`, `rotate`, `translate` and `zoom`. Null when the browser cannot tell. */
export function enlargementOf(style: CSSStyleDeclaration): Enlargement | null {
  const own = transformOf(style.transform);
  if (!own) return null;
  const lengths = (value: string | undefined) => (!value || value === 'none' ? [] : value.split(/\s+/));
  const scales = lengths(style.scale).map((each) => Math.abs(Number.parseFloat(each)));
  const zoom = Number(style.zoom || '1');
  const factor = own.factor * Math.max(1, ...scales) * Math.max(1, zoom);
  if (!Number.isFinite(factor)) return null;
  const isTurnedAway = lengths(style.rotate).length > 1;
  return {
    factor,
    isDeep: own.isDeep || isTurnedAway || lengths(style.translate).length > 2,
    hasPerspective: own.hasPerspective,
  };
}

function transformOf(transform: string): Enlargement | null {
  if (!transform || transform === 'none') return { factor: 1, isDeep: false, hasPerspective: false };
  try {
    const matrix = new DOMMatrixReadOnly(transform);
    const { m13, m14, m23, m24, m34, m43, m44 } = matrix;
    return {
      factor: Math.max(1, matrix.is2D ? stretchOf(matrix) : spatialStretchOf(matrix)),
      isDeep: [m13, m23, m43].some((part) => Math.abs(part) > 1e-6),
      hasPerspective: [m14, m24, m34, m44 - 1].some((part) => Math.abs(part) > 1e-6),
    };
  } catch {
    return null;
  }
}

/** How much longer a length becomes at most: the matrix's largest singular value. */
export function stretchOf({ a, b, c, d }: { a: number; b: number; c: number; d: number }): number {
  const squares = (a * a + b * b + c * c + d * d) / 2;
  const area = a * d - b * c;
  return Math.sqrt(squares + Math.sqrt(Math.max(0, squares * squares - area * area)));
}

/** The same in space, or somewhat more. */
function spatialStretchOf({ m11, m12, m13, m21, m22, m23, m31, m32, m33 }: DOMMatrixReadOnly): number {
  const sum = (...parts: number[]) => parts.reduce((all, part) => all + Math.abs(part), 0);
  const rows = Math.max(sum(m11, m12, m13), sum(m21, m22, m23), sum(m31, m32, m33));
  const columns = Math.max(sum(m11, m21, m31), sum(m12, m22, m32), sum(m13, m23, m33));
  return Math.sqrt(rows * columns);
}
