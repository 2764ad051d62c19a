import { damaged } from '../format-error.ts';
import { closeToken, endToken, openToken, type XmlReader } from '../xml/xml-reader.ts';
import type { StringPool, RichText, Style } from '@sheaf/engine/internal/document';
import { mainNamespace, unescapeCellText, xmlEscape } from './xml-escape.ts';
import {
  childrenNamed,
  printXml,
  readElementContent,
  readStartTag,
  textOf,
  type NamespaceScope,
  type XmlElement,
} from './xml-tree.ts';

const maxStringLength = 32_767;

/**
 * The shared strings of a file. `ids` maps each index to the id under which the workbook stores the string; `rich` maps
 * the index of a formatted string to its rich text.
 */
export interface SharedStrings {
  readonly ids: readonly number[];
  readonly rich: ReadonlyMap<number, RichText>;
}

export interface StringItem {
  readonly text: string;
  /** The text in pieces with their styles; undefined if the plain text represents it completely. */
  readonly rich: RichText | undefined;
}

type Loose = { -readonly [Key in keyof Style]?: Style[Key] };

/**
 * Callbacks for reading rich text: `styleOf` converts the properties of a run to a style; `word` stores the text's XML
 * and returns the number under which it is stored.
 */
export interface RichTextReader {
  readonly styleOf: (properties: XmlElement) => Loose;
  readonly word: (xml: string) => number;
  /** XML namespaces declared by the elements that contain the text. */
  readonly scope: NamespaceScope;
}

/**
 * Calls `visit` for each item of the shared strings part, in order. `richText` and `limit` are passed to
 * `readStringItem`.
 */
export function eachSharedString(
  reader: XmlReader,
  visit: (item: StringItem) => void,
  richText?: Omit<RichTextReader, 'scope'>,
  limit?: number,
): void {
  let scope: NamespaceScope = new Map();
  for (let token = reader.next(); token !== endToken; token = reader.next()) {
    if (token !== openToken) continue;
    if (reader.depth === 1) scope = readStartTag(reader, scope).scope;
    else if (reader.name === 'si') visit(readStringItem(reader, richText && { ...richText, scope }, limit));
  }
  if (reader.depth > 0) throw damaged('its list of texts is truncated');
}

export function readSharedStrings(
  reader: XmlReader,
  strings: StringPool,
  richText: Omit<RichTextReader, 'scope'>,
): SharedStrings {
  const ids: number[] = [];
  const rich = new Map<number, RichText>();
  const add = (item: StringItem): void => {
    if (item.rich) rich.set(ids.length, item.rich);
    ids.push(strings.intern(item.text));
  };
  eachSharedString(reader, add, richText);
  return { ids, rich };
}

export function cleanString(raw: string, limit = maxStringLength): string {
  const plain = unescapeCellText(raw);
  return (plain.includes('\r') ? plain.replaceAll('\r\n', '\n') : plain).slice(0, limit);
}

interface TextPiece {
  readonly text: string;
  readonly style?: Loose;
}

/**
 * Reads the string element just opened. Without `richText`, only the plain text is read. With it, styles are read too,
 * and the original XML is stored unless the text is plain.
 */
export function readStringItem(reader: XmlReader, richText?: RichTextReader, limit = maxStringLength): StringItem {
  const outside = reader.depth - 1;
  const pieces: TextPiece[] = [];
  // `words` is the XML of rich-text runs and phonetic guides; `plain` is the unstyled text before them, which is
  // escaped only if the XML is stored.
  let words = '';
  let plain: string | undefined;
  let isRich = false;
  for (;;) {
    const token = reader.next();
    if (token === endToken) throw damaged('one of its texts is truncated');
    if (token === closeToken && reader.depth === outside) break;
    if (token !== openToken) continue;
    const { name } = reader;
    if (name === 't') {
      const text = reader.content();
      pieces.push({ text: cleanString(text, limit) });
      plain ??= text;
      // Documents have no carriage returns (`_x000D_` in the file), so a text that contains them is also stored as XML.
      isRich ||= text.includes('_x000D_');
    } else if (name === 'r' && !richText) continue;
    else if (richText && (name === 'r' || name === 'rPh' || name === 'phoneticPr')) {
      const element = readElementContent(reader, richText.scope);
      words += printXml(element, mainNamespace);
      if (name === 'r') pieces.push(...piecesOf(element, richText, limit));
      isRich ||= name === 'rPh' || pieces.length > 1 || pieces[0]?.style !== undefined;
    } else reader.skip();
  }
  const [first, ...rest] = pieces;
  const text =
    pieces.length < 2
      ? (first?.text ?? '')
      : pieces
          .map((piece) => piece.text)
          .join('')
          .slice(0, limit);
  if (!isRich || !first || !richText) return { text, rich: undefined };
  const start = plain === undefined ? '' : `<t xml:space="preserve">${xmlEscape(plain)}</t>`;
  const source = richText.word(start + words);
  return { text, rich: [source > 0 ? { ...first, source } : first, ...rest] as RichText };
}

function piecesOf(run: XmlElement, { styleOf }: RichTextReader, limit: number): TextPiece[] {
  const [properties] = childrenNamed(run, 'rPr');
  const style = properties ? styleOf(properties) : {};
  const isStyled = Object.keys(style).length > 0;
  return childrenNamed(run, 't').map((one) => ({
    text: cleanString(textOf(one), limit),
    ...(isStyled ? { style } : {}),
  }));
}
