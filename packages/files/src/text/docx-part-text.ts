import { partTitle, readRelationships, type Relationship } from '../containers/package-parts.ts';
import { decodeXml, localName, scanXml } from '../xml/sax.ts';
import type { ZipArchive } from '../zip/reader.ts';
import { appendLinkTarget } from './append-link-target.ts';
import type { TextBuilder } from './text-builder.ts';

/**
 * Function that returns the heading level of a paragraph style by the style's id: 1 or more for a heading, `titleLevel`
 * for a title, 0 for other styles.
 */
export type HeadingLevel = (styleId: string) => number;

export interface DocxPart {
  archive: ZipArchive;
  part: string;
  out: TextBuilder;
  headingLevel: HeadingLevel;
  /** Called for each paragraph with the style "Title". */
  onTitle?: (text: string) => void;
  /** Receives each line of the part's text. If undefined, the lines are added to `out`. */
  line?: (text: string) => void;
}

interface Paragraph {
  text: string;
  styleId: string;
  /** Link that is being read: its target, and the offset in `text` where its text starts. */
  link: { from: number; target: string } | undefined;
}

/**
 * Elements whose content is not displayed as text: deleted and moved text, field codes, formatting properties, phonetic
 * guides and binary data.
 */
const hidden = new Set([
  'del',
  'moveFrom',
  'instrText',
  'delText',
  'delInstrText',
  'rPr',
  'sectPr',
  'tblPr',
  'tcPr',
  'trPr',
  'rt',
  'tabs',
  'binData',
]);

/**
 * Writes the text of one XML file (part) of a .docx document: paragraphs as lines or headings, tables with tabs between
 * cells. Returns the names of the archive entries of its diagrams, charts, pictures and embedded files in text order.
 */
export function writeDocxPartText(source: DocxPart): string[] {
  const reader = new DocxPartReader(source);
  scanXml(decodeXml(source.archive.read(source.part)), partTitle(source.part), reader);
  reader.end();
  return reader.drawings;
}

class DocxPartReader {
  readonly drawings: string[] = [];
  readonly #source: DocxPart;
  readonly #relations: ReadonlyMap<string, Relationship>;
  readonly #paragraphs: Paragraph[] = [];
  /** Cells of each open table row, innermost row last. */
  readonly #rows: string[][] = [];
  /** Open Word fields, innermost last: whether the result part has begun, and the field code. */
  readonly #fields: { isResult: boolean; code: string }[] = [];
  #hiddenDepth = 0;
  #isText = false;
  #isCode = false;
  /**
   * For each open AlternateContent element, innermost last: whether one of its alternatives has been read, so that its
   * fallback is skipped.
   */
  readonly #alternates: { hasChoice: boolean }[] = [];

  constructor(source: DocxPart) {
    this.#source = source;
    this.#relations = readRelationships(source.archive, source.part, partTitle);
  }

  open(name: string, attributes: () => Map<string, string>): void {
    const local = localName(name);
    if (this.#hiddenDepth > 0) {
      if (local === 'instrText') this.#isCode = true;
      this.#hiddenDepth++;
      return;
    }
    if (this.#isSkipped(local)) {
      this.#isCode = local === 'instrText';
      this.#hiddenDepth = 1;
      return;
    }
    this.#element(local, attributes);
  }

  text(text: string): void {
    if (this.#isCode) {
      const field = this.#fields.at(-1);
      if (field && field.code.length < 4_096) field.code += text;
    } else if (this.#isText && this.#hiddenDepth === 0) this.#write(text);
  }

  close(name: string): void {
    const local = localName(name);
    if (this.#hiddenDepth > 0) {
      this.#hiddenDepth--;
      if (this.#hiddenDepth === 0) this.#isCode = false;
      return;
    }
    if (local === 't') this.#isText = false;
    else if (local === 'p') this.#endParagraph();
    else if (local === 'tr') this.#endRow();
    else if (local === 'hyperlink') this.#endLink();
    else if (local === 'AlternateContent') this.#alternates.pop();
  }

  end(): void {
    while (this.#paragraphs.length > 0) this.#endParagraph();
    while (this.#rows.length > 0) this.#endRow();
  }

  #isSkipped(local: string): boolean {
    if (local === 'Fallback') return this.#alternates.at(-1)?.hasChoice === true;
    if (local === 'Choice') {
      const alternate = this.#alternates.at(-1);
      const isRead = alternate?.hasChoice === true;
      if (alternate) alternate.hasChoice = true;
      return isRead;
    }
    return hidden.has(local);
  }

  #element(local: string, attributes: () => Map<string, string>): void {
    const attribute = (key: string): string => {
      for (const [name, value] of attributes()) if (localName(name) === key) return value;
      return '';
    };
    switch (local) {
      case 'p':
        this.#paragraphs.push({ text: '', styleId: '', link: undefined });
        break;
      case 'pStyle':
        if (this.#paragraphs.length > 0) this.#paragraphs.at(-1)!.styleId = attribute('val');
        break;
      case 't':
        this.#isText = true;
        break;
      case 'tab':
      case 'ptab':
        this.#write('\t');
        break;
      case 'br':
      case 'cr':
        this.#write('\n');
        break;
      case 'noBreakHyphen':
        this.#write('-');
        break;
      case 'sym':
        this.#symbol(attribute('char'));
        break;
      case 'textpath':
        this.#write(` ${attribute('string')} `);
        break;
      case 'fldChar':
        this.#field(attribute('fldCharType'));
        break;
      case 'hyperlink':
        this.#startLink(this.#relations.get(attribute('id'))?.target ?? '');
        break;
      case 'tr':
        this.#rows.push([]);
        break;
      case 'tc':
        this.#rows.at(-1)?.push('');
        break;
      case 'AlternateContent':
        this.#alternates.push({ hasChoice: false });
        break;
      case 'chart':
      case 'relIds':
      case 'altChunk':
        this.#drawing(attribute(local === 'relIds' ? 'dm' : 'id'));
        break;
      case 'blip':
      case 'imagedata':
        this.#drawing(attribute(local === 'blip' ? 'embed' : 'id'));
        break;
      default:
    }
  }

  #write(text: string): void {
    const paragraph = this.#paragraphs.at(-1);
    if (paragraph && this.#fields.every(({ isResult }) => isResult)) paragraph.text += text;
  }

  /**
   * Writes a character of a symbol font. Skips codes in the private use area, which have a meaning only in their font.
   */
  #symbol(hex: string): void {
    const code = Number.parseInt(hex, 16);
    if (code >= 0x20 && code < 0xe000) this.#write(String.fromCharCode(code));
  }

  #field(type: string): void {
    if (type === 'begin') this.#fields.push({ isResult: false, code: '' });
    else if (type === 'separate') {
      const field = this.#fields.at(-1);
      if (!field) return;
      field.isResult = true;
      this.#startLink(/^\s*HYPERLINK\s+"([^"]*)"/i.exec(field.code)?.[1] ?? '');
    } else if (type === 'end' && this.#fields.pop()) this.#endLink();
  }

  #startLink(target: string): void {
    const paragraph = this.#paragraphs.at(-1);
    if (paragraph && target !== '') paragraph.link = { from: paragraph.text.length, target };
  }

  #endLink(): void {
    const paragraph = this.#paragraphs.at(-1);
    if (!paragraph?.link) return;
    const { from, target } = paragraph.link;
    paragraph.link = undefined;
    if (paragraph.text.length > from)
      paragraph.text = paragraph.text.slice(0, from) + appendLinkTarget(paragraph.text.slice(from), target);
  }

  #drawing(id: string): void {
    const relation = this.#relations.get(id);
    if (relation && !relation.isExternal) this.drawings.push(relation.target);
  }

  #endParagraph(): void {
    this.#endLink();
    // Close Word fields that never got a result, so that they do not hide the following paragraphs.
    while (this.#fields.at(-1)?.isResult === false) this.#fields.pop();
    const paragraph = this.#paragraphs.pop();
    if (!paragraph) return;
    const { text, styleId } = paragraph;
    const row = this.#rows.at(-1);
    if (row && row.length > 0) {
      row[row.length - 1] = `${row.at(-1)!} ${text.trim()}`.trim();
      return;
    }
    const { out, headingLevel, onTitle, line } = this.#source;
    const level = headingLevel(styleId);
    if (level === titleLevel) onTitle?.(text);
    if (line) line(text);
    else if (level > 0) out.heading(Math.min(level, 6), text);
    else out.line(text);
  }

  #endRow(): void {
    const cells = this.#rows.pop();
    if (!cells) return;
    const text = cells.join('\t');
    const outer = this.#rows.at(-1);
    if (outer && outer.length > 0) outer[outer.length - 1] = `${outer.at(-1)!} ${text}`.trim();
    else if (this.#source.line) this.#source.line(text);
    else this.#source.out.line(text);
  }
}

/**
 * Value that `HeadingLevel` returns for the style "Title", to tell it from "Heading 1". A title is written as a heading
 * of level 1.
 */
export const titleLevel = 0.5;
