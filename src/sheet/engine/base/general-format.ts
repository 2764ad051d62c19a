/**
 * A number as text the way the General format joins it to a string: 15 significant digits,
 * scientific outside 1e-9 to 1e21 (inclusive of neither end's excess).
 */
export function generalText(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return value === 0 ? '0' : String(value);
  if (!Number.isFinite(value)) return '#NUM!';
  const [mantissa = '', power = '0'] = value.toExponential(14).split('e');
  const exponent = Number(power);
  const negative = mantissa.startsWith('-');
  const digits = mantissa.replace('-', '').replace('.', '').replace(/0+$/, '') || '0';
  const sign = negative ? '-' : '';
  if (exponent >= 21 || exponent < -9) {
    const fraction = digits.length > 1 ? `.${digits.slice(1)}` : '';
    const size = String(Math.abs(exponent)).padStart(2, '0');
    return `${sign}${digits[0]}${fraction}E${exponent < 0 ? '-' : '+'}${size}`;
  }
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  if (digits.length <= exponent + 1) return sign + digits.padEnd(exponent + 1, '0');
  return `${sign}${digits.slice(0, exponent + 1)}.${digits.slice(exponent + 1)}`;
}
