type RoundingMode = 'nearest' | 'up' | 'down';

const powersOfTen: readonly number[] = Array.from({ length: 23 }, (_item, i) => Number(`1e${i}`));

/**
 * Rounds to a number of decimal digits: `nearest` rounds ties away from zero, `up` rounds away from zero, `down` rounds
 * toward zero. Like Excel, it rounds the first 15 significant digits, so that 2.675 is a tie although it has no exact
 * binary representation.
 */
export function roundTo(value: number, digits: number, mode: RoundingMode): number {
  if (value === 0 || !Number.isFinite(value)) return value;
  const places = Math.trunc(digits);
  return value < 0 ? -roundPositive(-value, places, mode) : roundPositive(value, places, mode);
}

function roundPositive(value: number, places: number, mode: RoundingMode): number {
  const scale = powersOfTen[Math.abs(places)];
  if (scale !== undefined) {
    const scaled = places >= 0 ? value * scale : value / scale;
    if (scaled < 1e9) {
      const whole = Math.floor(scaled);
      const rest = scaled - whole;
      if (rest === 0) return value;
      // The small error of the binary representation can change the result only if the fraction is close to a tie or to
      // a whole number. Other fractions, and exact ties, are rounded here.
      if (rest > 1e-6 && rest < 1 - 1e-6 && (mode !== 'nearest' || rest === 0.5 || Math.abs(rest - 0.5) > 1e-6)) {
        const up = mode === 'up' || (mode === 'nearest' && rest >= 0.5) ? 1 : 0;
        return places >= 0 ? (whole + up) / scale : (whole + up) * scale;
      }
    }
  }
  return roundDigits(value, places, mode);
}

function roundDigits(value: number, places: number, mode: RoundingMode): number {
  let [digits, exponent] = digitsOf(value, 15);
  // `keep` is the number of significant digits to keep. If it is 15 or more, rounding works on 17 digits, the full
  // precision of a double.
  let keep = exponent + 1 + places;
  if (keep >= 15) {
    [digits, exponent] = digitsOf(value, 17);
    keep = exponent + 1 + places;
    if (keep >= 17) return value;
  }
  if (keep < 0) return mode === 'up' ? Number(`1e${-places}`) : 0;
  const head = digits.slice(0, keep);
  const tail = digits.slice(keep);
  const grows = mode === 'up' ? /[1-9]/.test(tail) : mode === 'nearest' && tail.charCodeAt(0) >= 53;
  const kept = BigInt(head === '' ? '0' : head) + (grows ? 1n : 0n);
  return Number(`${kept}e${-places}`);
}

function digitsOf(value: number, count: number): [digits: string, exponent: number] {
  const [mantissa = '', power = '0'] = value.toExponential(count - 1).split('e');
  return [mantissa.replace('.', ''), Number(power)];
}

/** Rounds a quotient to a whole number if they differ only past the 15th digit: 1.1 / 0.1 becomes 11. */
export function dropQuotientNoise(quotient: number): number {
  if (Number.isInteger(quotient)) return quotient;
  const nearest = Math.round(quotient);
  const size = Math.abs(quotient);
  return Math.abs(quotient - nearest) <= size * 5e-15 ? nearest : quotient;
}
