import { damaged } from '../format-error.ts';
import { closeToken, endToken, openToken, type XmlReader } from '../xml/xml-reader.ts';

/** Workbook-wide data that cells refer to by number. */
export interface XlsxLookups {
  readonly texts: readonly string[];
  /** For each cell style: true if it shows numbers as dates. */
  readonly dateStyles: readonly boolean[];
  readonly date1904: boolean;
}

export function readSharedStrings(reader: XmlReader): string[] {
  const texts: string[] = [];
  for (let token = reader.next(); token !== endToken; token = reader.next()) {
    if (token === openToken && reader.name === 'si') texts.push(readText(reader));
  }
  if (reader.depth > 0) throw damaged('its list of texts is truncated');
  return texts;
}

/** Reads the text up to the end of the element just opened, without its phonetic guide. */
export function readText(reader: XmlReader): string {
  const outside = reader.depth - 1;
  let text = '';
  for (;;) {
    const token = reader.next();
    if (token === endToken) throw damaged('one of its texts is truncated');
    if (token === closeToken && reader.depth === outside) return unescapeText(text);
    if (token !== openToken) continue;
    const { name } = reader;
    if (name === 't') text += reader.content();
    else if (name !== 'r') reader.skip();
  }
}

/** Decodes control characters, which are written as `_xHHHH_`. */
export function unescapeText(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

export function readDateStyles(reader: XmlReader): boolean[] {
  const patterns = new Map<number, string>();
  const looks: number[] = [];
  let isLooks = false;
  for (let token = reader.next(); token !== endToken; token = reader.next()) {
    const { name } = reader;
    if (name === 'cellXfs') isLooks = token === openToken;
    if (token !== openToken) continue;
    if (name === 'numFmt') patterns.set(Number(reader.attribute('numFmtId')), reader.attribute('formatCode') ?? '');
    else if (name === 'xf' && isLooks) looks.push(Number(reader.attribute('numFmtId') ?? 0));
  }
  return looks.map((format) => {
    const pattern = patterns.get(format);
    return pattern === undefined ? isBuiltInDate(format) : isDatePattern(pattern);
  });
}

function isBuiltInDate(format: number): boolean {
  return (
    (format >= 14 && format <= 22) ||
    (format >= 27 && format <= 36) ||
    (format >= 45 && format <= 47) ||
    (format >= 50 && format <= 58)
  );
}

/** True if a date or time code remains after removing literals, escaped characters, colors and conditions. */
function isDatePattern(pattern: string): boolean {
  const [first = ''] = pattern.split(';');
  const plain = first
    .slice(0, 255)
    .replace(/"[^"]*"|\\.|_.|\*./g, '')
    .replace(/\[(?![hms]+\])[^\]]*\]/gi, '');
  return /[ymdhs]/i.test(plain) && !/general/i.test(plain);
}
