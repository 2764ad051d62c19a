/** Maximum number of characters, without the sign, before a number is written in exponent notation. */
const maxLength = 20;

/**
 * Converts a number to text as the `&` operator does: 15 significant digits (14 if the exponent is above 98 or below
 * -98), without an exponent while the text has at most 20 characters.
 */
export function generalText(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return value === 0 ? '0' : String(value);
  if (!Number.isFinite(value)) return '#NUM!';
  let [mantissa = '', power = '0'] = value.toExponential(14).split('e');
  if (Math.abs(Number(power)) > 98) [mantissa = '', power = '0'] = value.toExponential(13).split('e');
  const exponent = Number(power);
  const negative = mantissa.startsWith('-');
  const digits = mantissa.replace('-', '').replace('.', '').replace(/0+$/, '') || '0';
  const sign = negative ? '-' : '';
  // Number of characters without the sign. For numbers below 1 it includes "0." and the leading zeros, for whole
  // numbers the trailing zeros. For other numbers the decimal point is not counted.
  const length = exponent < 0 ? digits.length + 1 - exponent : Math.max(digits.length, exponent + 1);
  if (length > maxLength) {
    const fraction = digits.length > 1 ? `.${digits.slice(1)}` : '';
    const size = String(Math.abs(exponent)).padStart(2, '0');
    return `${sign}${digits[0]}${fraction}E${exponent < 0 ? '-' : '+'}${size}`;
  }
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  if (digits.length <= exponent + 1) return sign + digits.padEnd(exponent + 1, '0');
  return `${sign}${digits.slice(0, exponent + 1)}.${digits.slice(exponent + 1)}`;
}
