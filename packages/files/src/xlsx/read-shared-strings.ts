import { damaged } from '../format-error.ts';
import { closeToken, endToken, openToken, type XmlReader } from '../xml/xml-reader.ts';
import type { Strings, RichText, Style } from '@sheaf/engine/internal/document';
import type { Theme } from './colors.ts';
import { readFont } from './read-styles.ts';
import { unescapeCellText } from './xml-escape.ts';

const maxStringLength = 32_767;

/** Shared strings by their number in the file; each is stored in the workbook once, and cells refer to the stored id. */
export interface SharedStrings {
  readonly ids: readonly number[];
  readonly rich: ReadonlyMap<number, RichText>;
}

export interface StringItem {
  readonly text: string;
  /** Set if parts of the text have different styles. */
  readonly rich: RichText | undefined;
}

type Loose = { -readonly [Key in keyof Style]?: Style[Key] };

export function readSharedStrings(reader: XmlReader, strings: Strings, theme: Theme): SharedStrings {
  const ids: number[] = [];
  const rich = new Map<number, RichText>();
  for (let token = reader.next(); token !== endToken; token = reader.next()) {
    if (token !== openToken || reader.name !== 'si') continue;
    const item = readStringItem(reader, theme);
    if (item.rich) rich.set(ids.length, item.rich);
    ids.push(strings.intern(item.text));
  }
  if (reader.depth > 0) throw damaged('its list of texts is truncated');
  return { ids, rich };
}

export function cleanString(raw: string): string {
  const plain = raw.includes('_x') ? unescapeCellText(raw) : raw;
  return (plain.includes('\r') ? plain.replaceAll('\r\n', '\n') : plain).slice(0, maxStringLength);
}

/** Reads the text up to the end of the element just opened, with its rich-text runs and without its phonetic guide. */
export function readStringItem(reader: XmlReader, theme: Theme): StringItem {
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
      pieces.push({ text: cleanString(reader.content()), ...(isStyled ? { style } : {}) });
    } else if (name === 'r') style = {};
    else if (name === 'rPr') style = readRunStyle(reader, theme);
    else reader.skip();
  }
  const [first] = pieces;
  const text =
    pieces.length < 2
      ? (first?.text ?? '')
      : pieces
          .map((piece) => piece.text)
          .join('')
          .slice(0, maxStringLength);
  return { text, rich: isRich ? (pieces as RichText) : undefined };
}

function readRunStyle(reader: XmlReader, theme: Theme): Loose {
  const outside = reader.depth - 1;
  const style: Loose = {};
  for (let token = reader.next(); reader.depth > outside; token = reader.next()) {
    if (token === openToken)
      readFont(style, { name: reader.name, attributes: reader.attributes(true), path: ['rPr'] }, theme);
    else if (token === endToken) throw damaged('one of its texts is truncated');
  }
  return style;
}
