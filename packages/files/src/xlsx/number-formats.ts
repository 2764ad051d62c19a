import { isDatePattern } from '@sheaf/engine/internal/text';
import { endToken, openToken, type XmlReader } from '../xml/xml-reader.ts';

/** Patterns of the built-in number formats, which files refer to by number without defining them. */
export const builtInFormats: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  5: '"$"#,##0_);("$"#,##0)',
  6: '"$"#,##0_);[Red]("$"#,##0)',
  7: '"$"#,##0.00_);("$"#,##0.00)',
  8: '"$"#,##0.00_);[Red]("$"#,##0.00)',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  14: 'm/d/yyyy',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'm/d/yyyy h:mm',
  27: 'yyyy"年"m"月"',
  28: 'm"月"d"日"',
  29: 'm"月"d"日"',
  30: 'm/d/yy',
  31: 'yyyy"年"m"月"d"日"',
  32: 'h"时"mm"分"',
  33: 'h"时"mm"分"ss"秒"',
  36: 'yyyy"年"m"月"',
  37: '#,##0_);(#,##0)',
  38: '#,##0_);[Red](#,##0)',
  39: '#,##0.00_);(#,##0.00)',
  40: '#,##0.00_);[Red](#,##0.00)',
  41: '_(* #,##0_);_(* (#,##0);_(* "-"_);_(@_)',
  42: '_("$"* #,##0_);_("$"* (#,##0);_("$"* "-"_);_(@_)',
  43: '_(* #,##0.00_);_(* (#,##0.00);_(* "-"??_);_(@_)',
  44: '_("$"* #,##0.00_);_("$"* (#,##0.00);_("$"* "-"??_);_(@_)',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
  48: '##0.0E+0',
  49: '@',
  57: 'yyyy"年"m"月"',
  58: 'm"月"d"日"',
};

/** Ids of the built-in number formats that are dates with a pattern that depends on the user's language. */
const localDates = new Set([34, 35, 50, 51, 52, 53, 54, 55, 56]);

/** Reads the styles part. Returns for each cell format whether it displays numbers as dates. */
export function readDateFormats(reader: XmlReader): boolean[] {
  const patterns = new Map<number, string>();
  const formats: number[] = [];
  let isCellFormats = false;
  for (let token = reader.next(); token !== endToken; token = reader.next()) {
    const { name } = reader;
    if (name === 'cellXfs') isCellFormats = token === openToken;
    if (token !== openToken) continue;
    if (name === 'numFmt') patterns.set(Number(reader.attribute('numFmtId')), reader.attribute('formatCode') ?? '');
    else if (name === 'xf' && isCellFormats) formats.push(Number(reader.attribute('numFmtId') ?? 0));
  }
  return formats.map((format) => {
    const pattern = patterns.get(format) ?? builtInFormats[format];
    return pattern === undefined ? localDates.has(format) : isDatePattern(pattern);
  });
}

/**
 * Returns whether a pattern displays only times or durations. Their values are the same in the 1900 and 1904 date
 * systems.
 */
export function isTimePattern(pattern: string): boolean {
  if (!isDatePattern(pattern)) return false;
  const codes = pattern.replace(
    /"[^"]*"|\\.|[_*].|\[\$[^\]]*\]|\[(?:color|black|blue|cyan|green|magenta|red|white|yellow)[^\]]*\]/gi,
    '',
  );
  return /[hs]|\[m+\]/i.test(codes) && !/[ydeg]/i.test(codes.replace(/general/gi, ''));
}
