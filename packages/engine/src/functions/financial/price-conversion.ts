import { textOf } from '../../base/coerce.ts';
import { roundTo } from '../../base/rounding.ts';
import { cellErrors } from '../../base/values.ts';
import { define, type Definition } from '../define.ts';
import { strictNumber, strictWhole } from '../toolpak-arguments.ts';

/**
 * Returns the factor for the digits after the decimal point in a price such as 1.02, which means 1 and 2/16 if
 * `fraction` is 16 (DOLLARDE, DOLLARFR). It is a power of 10 with one zero per digit: 100 for sixteenths, whose
 * numerators have up to two digits.
 */
function digitScale(fraction: number): number {
  return 10 ** Math.ceil(Math.log10(fraction) - 1e-12);
}

/** Former currencies of the euro members: the fixed rate (units per euro) and the number of decimals. */
const currencies = new Map(
  `EUR:1:2 ATS:13.7603:2 BEF:40.3399:0 DEM:1.95583:2 ESP:166.386:0 FIM:5.94573:2 FRF:6.55957:2 GRD:340.75:0
IEP:0.787564:2 ITL:1936.27:0 LUF:40.3399:0 NLG:2.20371:2 PTE:200.482:1 SIT:239.64:2 MTL:0.4293:2
CYP:0.585274:2 SKK:30.126:2 EEK:15.6466:2 LVL:0.702804:2 LTL:3.4528:2 HRK:7.5345:2`
    .split(/\s+/)
    .map((one) => one.split(':'))
    .map(([name = '', rate, decimals]) => [name, [Number(rate), Number(decimals)] as const]),
);

export const priceConversionFunctions: readonly Definition[] = [
  define('DOLLARDE', 'any any', (_call, price, fraction) => {
    const [value, below] = [strictNumber(price), strictWhole(fraction)];
    if (below < 0) return cellErrors.num;
    if (below === 0) return cellErrors.div0;
    const whole = Math.trunc(value);
    return whole + ((value - whole) * digitScale(below)) / below;
  }),
  define('DOLLARFR', 'any any', (_call, price, fraction) => {
    const [value, below] = [strictNumber(price), strictWhole(fraction)];
    if (below < 0) return cellErrors.num;
    if (below === 0) return cellErrors.div0;
    const whole = Math.trunc(value);
    return whole + ((value - whole) * below) / digitScale(below);
  }),
  define('EUROCONVERT', 'number any any logical? number?', (_call, value, source, target, exact = false, precision) => {
    const from = currencies.get(textOf(source).toUpperCase());
    const to = currencies.get(textOf(target).toUpperCase());
    if (!from || !to) return cellErrors.value;
    if (precision !== undefined && precision < 3) return cellErrors.value;
    if (from === to) return value;
    let euros = value / from[0];
    // An amount in a national currency is converted to euros first. If a precision is given, the amount in euros is
    // rounded to it.
    if (precision !== undefined && from[0] !== 1) euros = roundTo(euros, precision, 'nearest');
    const result = euros * to[0];
    return exact ? result : roundTo(result, to[1], 'nearest');
  }),
];
