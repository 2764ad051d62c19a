import { damaged } from '../format-error.ts';
import { closeToken, endToken, openToken, type XmlReader } from '../xml/xml-reader.ts';
import type { Strings, RichText, Style } from '@sheaf/engine/internal/document';
import { unescapeCellText } from './xml-escape.ts';

const maxStringLength = 32_767;

/** Shared strings by index in the file: the id under which the workbook stores each string, and the formatted ones. */
export interface SharedStrings {
  readonly ids: readonly number[];
  readonly rich: ReadonlyMap<number, RichText>;
}

export interface StringItem {
  readonly text: string;
  /** Set if the text has runs with different styles. */
  readonly rich: RichText | undefined;
}

type Loose = { -readonly [Key in keyof Style]?: Style[Key] };

/** Reads the properties of the rich-text run just opened, including the closing tag. */
export type ReadRunStyle = (reader: XmlReader) => Loose;

/**
 * Calls `visit` for each item of the shared strings part, in order. `readStyle` and `limit` are passed to
 * `readStringItem`.
 */
export function eachSharedString(
  reader: XmlReader,
  visit: (item: StringItem) => void,
  readStyle?: ReadRunStyle,
  limit?: number,
): void {
  for (let token = reader.next(); token !== endToken; token = reader.next())
    if (token === openToken && reader.name === 'si') visit(readStringItem(reader, readStyle, limit));
  if (reader.depth > 0) throw damaged('its list of texts is truncated');
}

export function readSharedStrings(reader: XmlReader, strings: Strings, readStyle: ReadRunStyle): SharedStrings {
  const ids: number[] = [];
  const rich = new Map<number, RichText>();
  const add = (item: StringItem): void => {
    if (item.rich) rich.set(ids.length, item.rich);
    ids.push(strings.intern(item.text));
  };
  eachSharedString(reader, add, readStyle);
  return { ids, rich };
}

export function cleanString(raw: string, limit = maxStringLength): string {
  const plain = unescapeCellText(raw);
  return (plain.includes('\r') ? plain.replaceAll('\r\n', '\n') : plain).slice(0, limit);
}

/**
 * Reads the string element just opened, without its phonetic guide. Rich-text runs are returned only if `readStyle` is
 * given.
 */
export function readStringItem(reader: XmlReader, readStyle?: ReadRunStyle, limit = maxStringLength): StringItem {
  const outside = reader.depth - 1;
  const pieces: { text: string; style?: Loose }[] = [];
  let style: Loose = {};
  let isRich = false;
  for (;;) {
    const token = reader.next();
    if (token === endToken) throw damaged('one of its texts is truncated');
    if (token === closeToken && reader.depth === outside) break;
    if (token !== openToken) continue;
    const { name } = reader;
    if (name === 't') {
      const isStyled = Object.keys(style).length > 0;
      isRich ||= isStyled;
      pieces.push({ text: cleanString(reader.content(), limit), ...(isStyled ? { style } : {}) });
    } else if (name === 'r') style = {};
    else if (name === 'rPr' && readStyle) style = readStyle(reader);
    else reader.skip();
  }
  const [first] = pieces;
  const text =
    pieces.length < 2
      ? (first?.text ?? '')
      : pieces
          .map((piece) => piece.text)
          .join('')
          .slice(0, limit);
  return { text, rich: isRich ? (pieces as RichText) : undefined };
}
