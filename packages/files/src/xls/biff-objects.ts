import { rectName } from '@sheaf/engine';
import { escapeCellText, preserveSpace } from '../xlsx/xml-escape.ts';
import type { BiffReader } from './biff-reader.ts';
import { readRect } from './biff-rules.ts';
import type { BiffStyles } from './biff-styles.ts';
import type { ForeignComment, ForeignLink } from './workbook-model.ts';

const noteObject = 0x19;
const dropDownObject = 0x14;
const objectKinds: Readonly<Record<number, string>> = {
  0x05: 'charts',
  0x07: 'buttons and other controls',
  0x08: 'pictures and embedded objects',
  0x0b: 'buttons and other controls',
  0x0c: 'buttons and other controls',
  0x10: 'buttons and other controls',
  0x11: 'buttons and other controls',
  0x12: 'buttons and other controls',
  0x13: 'buttons and other controls',
};

const urlMoniker = 'e0c9ea79f9bace118c8200aa004ba90b';
const fileMoniker = '0303000000000000c000000000000046';

/** Collects the cell notes and links of a worksheet. Warns of other drawn objects, which are not imported. */
export class BiffObjects {
  readonly #styles: BiffStyles;
  readonly #warn: (what: string) => void;
  readonly #texts = new Map<number, string>();
  readonly #notes: { row: number; col: number; isVisible: boolean; object: number; author: string }[] = [];
  readonly links: ForeignLink[] = [];
  #object = -1;

  constructor(styles: BiffStyles, warn: (what: string) => void) {
    this.#styles = styles;
    this.#warn = warn;
  }

  object(reader: BiffReader): void {
    reader.skip(4);
    const kind = reader.u16();
    this.#object = reader.u16();
    // Drop-down objects are the buttons of filters and validation lists. Those are imported from other records, so
    // nothing is lost and no warning is needed.
    if (kind !== noteObject && kind !== dropDownObject) this.#warn(objectKinds[kind] ?? 'shapes and text boxes');
  }

  /** Reads the text of the last drawing object. Its characters and formatting runs are in CONTINUE records. */
  objectText(reader: BiffReader): void {
    reader.skip(10);
    const length = reader.u16();
    const runBytes = reader.u16();
    if (length === 0 || !reader.nextPiece()) return;
    const text = reader.text(length);
    const runs: [number, number][] = [];
    if (reader.nextPiece())
      for (let at = 0; at + 8 <= runBytes && reader.left >= 8; at += 8) {
        runs.push([reader.u16(), reader.u16()]);
        reader.skip(4);
      }
    this.#texts.set(this.#object, this.#runsXml(text, runs));
  }

  #runsXml(text: string, runs: readonly (readonly [number, number])[]): string {
    const starts: readonly (readonly [number, number | undefined])[] =
      runs.length > 0 && runs[0]![0] === 0 ? runs : [[0, undefined], ...runs];
    return starts
      .map(([start, font], index) => {
        const part = text.slice(start, starts[index + 1]?.[0]);
        if (part === '') return '';
        const properties = font === undefined ? '' : this.#styles.runProperties(font);
        return `<r>${properties}<t${preserveSpace(part)}>${escapeCellText(part)}</t></r>`;
      })
      .join('');
  }

  note(reader: BiffReader): void {
    const [row, col, flags, object] = [reader.u16(), reader.u16(), reader.u16(), reader.u16()];
    const author = reader.left >= 3 ? reader.text16() : '';
    this.#notes.push({ row, col, isVisible: (flags & 2) !== 0, object, author });
  }

  comments(): ForeignComment[] {
    return this.#notes.map(({ object, ...note }) => ({ ...note, text: this.#texts.get(object) ?? '<t/>' }));
  }

  link(reader: BiffReader): void {
    const ref = rectName(readRect(reader));
    reader.skip(20);
    const flags = reader.u32();
    const has = (bit: number): boolean => (flags & (1 << bit)) !== 0;
    if (has(4)) hyperlinkText(reader);
    if (has(7)) hyperlinkText(reader);
    const url = has(8) ? hyperlinkText(reader) : has(0) ? monikerText(reader) : undefined;
    const location = has(3) && reader.left >= 4 ? hyperlinkText(reader) : undefined;
    if (url === undefined && location === undefined) this.#warn('links of an unknown kind');
    else this.links.push({ ref, url, location });
  }

  /** Adds a tooltip to the preceding link with the same range. */
  linkTooltip(reader: BiffReader): void {
    reader.skip(2);
    const ref = rectName(readRect(reader));
    const tooltip = wideText(reader.rest());
    const index = this.links.findLastIndex((link) => link.ref === ref);
    if (index >= 0) this.links[index] = { ...this.links[index]!, tooltip };
  }
}

/** Decodes UTF-16 text up to the first NUL character. */
function wideText(bytes: Uint8Array): string {
  return new TextDecoder('utf-16le').decode(bytes).replace(/\0.*$/s, '');
}

function hyperlinkText(reader: BiffReader): string {
  return wideText(reader.bytes(reader.u32() * 2));
}

/** Reads the target of a link if it is a web address or a file; returns undefined for other kinds. */
function monikerText(reader: BiffReader): string | undefined {
  const kind = Buffer.from(reader.bytes(16)).toString('hex');
  if (kind === urlMoniker) return wideText(reader.bytes(reader.u32()));
  if (kind !== fileMoniker) return undefined;
  const parents = '../'.repeat(reader.u16());
  const short = Buffer.from(reader.bytes(reader.u32())).toString('latin1').replace(/\0.*$/s, '');
  reader.skip(24);
  if (reader.u32() === 0) return parents + short;
  const length = reader.u32();
  reader.skip(2);
  return parents + wideText(reader.bytes(length));
}
