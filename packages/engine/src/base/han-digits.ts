/** Digits and units of the number formats [DBNum1] (small), [DBNum2] (large) and [DBNum3] (full-width). */
const smallDigits = ['〇', '一', '二', '三', '四', '五', '六', '七', '八', '九'];
const largeDigits = ['零', '壹', '贰', '叁', '肆', '伍', '陆', '柒', '捌', '玖'];
const wideDigits = ['０', '１', '２', '３', '４', '５', '６', '７', '８', '９'];
const smallUnits = ['', '十', '百', '千'];
const largeUnits = ['', '拾', '佰', '仟'];
const groupUnits = ['', '万', '亿', '万亿'];

/**
 * Converts the digits of a formatted number to Chinese numerals. `style` is the number in the format code, 1 to 3 for
 * [DBNum1] to [DBNum3]. With `spelled`, whole numbers are written with units (四万五千), otherwise digit by digit (四五〇〇〇).
 */
export function hanDigits(shown: string, style: number, spelled: boolean): string {
  const digits = style === 1 ? smallDigits : style === 2 ? largeDigits : wideDigits;
  const units = style === 2 ? largeUnits : smallUnits;
  const swap = (text: string): string => text.replace(/\d/g, (digit) => digits[Number(digit)] ?? digit);
  if (!spelled) return swap(shown);
  return shown.replace(/\d+(\.\d+)?/, (number) => {
    const [whole = '0', fraction] = number.split('.');
    if (whole.length > 16) return swap(number);
    return spell(whole, digits, units) + (fraction === undefined ? '' : `.${swap(fraction)}`);
  });
}

function spell(whole: string, digits: readonly string[], units: readonly string[]): string {
  const zero = digits[0] ?? '0';
  let out = '';
  let gap = false;
  const length = whole.length;
  for (let i = 0; i < length; i++) {
    const place = length - 1 - i;
    const digit = Number(whole[i]);
    if (digit === 0) gap = out !== '';
    else {
      if (gap) out += zero;
      gap = false;
      out += (digits[digit] ?? '') + (units[place % 4] ?? '');
    }
    const groupEnds = place % 4 === 0 && place > 0;
    if (groupEnds && /[1-9]/.test(whole.slice(Math.max(0, i - 3), i + 1))) out += groupUnits[place / 4] ?? '';
  }
  if (out === '') return zero;
  // In small numerals, ten to nineteen are written without the leading one: 十五, not 一十五.
  return out.startsWith('一十') ? out.slice(1) : out;
}
