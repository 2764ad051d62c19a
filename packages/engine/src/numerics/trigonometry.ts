/**
 * Constants for sine, cosine and tangent near multiples of pi/2, where the result depends on the digits of pi. Excel
 * uses pi with the 64-bit mantissa of the extended format, so that `SIN(PI())` is 1.22514845490862E-16 and
 * `TAN(PI()/2)` is 1.63245522776191E+16. Exact arithmetic on the double nearest to pi gives 1.22464679914735E-16 and
 * 1.63312393531954E+16.
 */
const quarter = Math.PI / 2;
/** pi/2 split into two parts, so that multiplying each by a number of quarter turns is exact. */
const quarterHigh = Math.fround(quarter);
const quarterLow = quarter - quarterHigh;
/** Difference between half of pi as Excel uses it and `quarter`, half of pi as a double. */
const quarterRest = 1130 * 2 ** -64;
/** At this distance or more from a multiple of pi/2, the last bits of pi do not affect the result. */
const near = 2 ** -8;
/** Up to this many quarter turns, results are corrected to match Excel. Its behavior for larger angles is unknown. */
const manyTurns = 1024;

/**
 * Returns the difference between an angle and `turns` times pi/2; NaN if it is not small, or if `turns` is 0 or too
 * large.
 */
function past(x: number, turns: number): number {
  if (turns === 0 || Math.abs(turns) > manyTurns) return NaN;
  const rest = x - turns * quarterHigh - turns * quarterLow - turns * quarterRest;
  return Math.abs(rest) < near ? rest : NaN;
}

export function sine(x: number): number {
  const turns = Math.round(x / quarter);
  if (turns % 2 !== 0) return Math.sin(x);
  const rest = past(x, turns);
  if (Number.isNaN(rest)) return Math.sin(x);
  return turns % 4 === 0 ? Math.sin(rest) : -Math.sin(rest);
}

export function cosine(x: number): number {
  const turns = Math.round(x / quarter);
  if (turns % 2 === 0) return Math.cos(x);
  const rest = past(x, turns);
  if (Number.isNaN(rest)) return Math.cos(x);
  return (turns - 1) % 4 === 0 ? -Math.sin(rest) : Math.sin(rest);
}

export function tangent(x: number): number {
  const turns = Math.round(x / quarter);
  const rest = past(x, turns);
  if (Number.isNaN(rest)) return Math.tan(x);
  return turns % 2 === 0 ? Math.tan(rest) : -1 / Math.tan(rest);
}
