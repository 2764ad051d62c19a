/**
 * Sine, cosine and tangent where their result hangs on the digits of pi. Excel takes pi with the 64 bits of the extended
 * format, so that `SIN(PI())` is 1.22514845490862E-16 and `TAN(PI()/2)` is 1.63245522776191E+16; the number nearest to
 * pi and pi itself would give 1.22464679914735E-16 and 1.63312393531954E+16. Away from the multiples of a quarter turn no digit
 * depends on it.
 */
const quarter = Math.PI / 2;
/** A quarter turn in parts whose products with the number of turns are exact. */
const quarterHigh = Math.fround(quarter);
const quarterLow = quarter - quarterHigh;
/** What half of that pi is more than `quarter`. */
const quarterRest = 1130 * 2 ** -64;
/** From here on the last bits of pi are smaller than those of the result. */
const near = 2 ** -8;
/** Larger angles are taken as they are: what Excel makes of them nobody has told. */
const manyTurns = 1024;

/** What an angle is past the nearest multiple of a quarter turn; NaN where that is not near, or the multiple is none. */
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
