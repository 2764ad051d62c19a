import { defaultLimits } from '../decode-types.ts';
import { damaged, FormatError } from '../format-error.ts';
import { decodeXml } from '../xml/sax.ts';
import { openZip } from '../zip/reader.ts';
import { escapeCellText, preserveSpace } from '../xlsx/xml-escape.ts';
import { BiffLinks } from './biff-links.ts';
import { BiffReader, type RichBiffText } from './biff-reader.ts';
import { BiffSheetReader } from './read-biff-sheet.ts';
import { BiffStyles } from './biff-styles.ts';
import { formulaText, UnsupportedFormula } from './formula-text.ts';
import { officeTheme2007 } from './office-theme-2007.ts';
import type { ForeignName, ForeignWorkbook } from './workbook-model.ts';

const recordTypes = {
  bof: 0x0809,
  eof: 0x000a,
  boundSheet: 0x0085,
  date1904: 0x0022,
  font: 0x0031,
  format: 0x041e,
  cellFormat: 0x00e0,
  extendedFormat: 0x087d,
  palette: 0x0092,
  sharedStrings: 0x00fc,
  supportingBook: 0x01ae,
  externalName: 0x0023,
  externalSheets: 0x0017,
  cachedSheet: 0x0059,
  cachedCells: 0x005a,
  name: 0x0018,
  window: 0x003d,
  theme: 0x0896,
  macros: 0x00d3,
} as const;

const builtInNames = (
  'Consolidate_Area Auto_Open Auto_Close Extract Database Criteria Print_Area Print_Titles Recorder Data_Form ' +
  'Auto_Activate Auto_Deactivate Sheet_Title _FilterDatabase'
).split(' ');

/** Version number in the theme record that stands for the theme of Excel 2007 and 2010; 0 stands for a custom theme. */
const theme2007 = 124_226;
const biff8 = 0x0600;
const worksheetKind = 0;
const sheetKinds: Readonly<Record<number, string>> = { 1: 'a macro sheet', 2: 'a chart sheet', 6: 'a macro module' };
const sheetStates = ['visible', 'hidden', 'veryHidden'] as const;

interface SheetEntry {
  readonly name: string;
  readonly at: number;
  readonly state: number;
  readonly kind: number;
}

interface StoredName {
  readonly name: string;
  readonly sheet: number;
  readonly isHidden: boolean;
  /**
   * True if the name stands for a macro function or for a function of a newer Excel version. Formulas call such a name
   * like a function; it refers to no cells.
   */
  readonly isFunction: boolean;
  readonly tokens: Uint8Array;
  readonly extra: Uint8Array;
}

/** Returns whether the stream is a workbook of Excel 97 to 2003. Older workbooks have other records. */
export function isBiff8(stream: Uint8Array): boolean {
  const view = new DataView(stream.buffer, stream.byteOffset, stream.byteLength);
  return stream.length >= 8 && view.getUint16(0, true) === recordTypes.bof && view.getUint16(4, true) === biff8;
}

/** Reads a decrypted workbook stream of an .xls file. A message for each unsupported feature is added to `warnings`. */
export function readBiffWorkbook(stream: Uint8Array, warnings: Set<string>): ForeignWorkbook {
  return new BiffWorkbookReader(stream, warnings).read();
}

class BiffWorkbookReader {
  readonly #stream: Uint8Array;
  readonly #warnings: Set<string>;
  readonly #styles = new BiffStyles();
  readonly #links = new BiffLinks();
  readonly #entries: SheetEntry[] = [];
  readonly #strings: RichBiffText[] = [];
  readonly #names: StoredName[] = [];
  #date1904 = false;
  #active = 0;
  #theme: string | undefined;

  constructor(stream: Uint8Array, warnings: Set<string>) {
    this.#stream = stream;
    this.#warnings = warnings;
  }

  read(): ForeignWorkbook {
    this.#globals();
    const indexes = new Map<number, number>();
    this.#entries.forEach(({ name, kind }, index) => {
      this.#links.sheets.push(kind === worksheetKind ? name : undefined);
      if (kind === worksheetKind) indexes.set(index, indexes.size);
      else this.#warnings.add(`'${name}' is ${sheetKinds[kind] ?? 'not a worksheet'} and was left out`);
    });
    if (indexes.size === 0) throw damaged('it has no worksheets');
    for (const { name, sheet } of this.#names) this.#links.names.push({ name, sheet });
    const cells = { count: 0 };
    const count = (): void => {
      if (++cells.count > defaultLimits.maxCells)
        throw new FormatError(
          'too_large',
          `The workbook contains more than ${defaultLimits.maxCells} cells. Split it and import the parts.`,
        );
    };
    let calculation = '';
    const sheets = [...indexes.keys()].map((index) => {
      const { name, at, state } = this.#entries[index]!;
      const scope = this.#links.scopeOf(index);
      const filter = this.#names.find((one) => one.sheet === index && one.name === '_xlnm._FilterDatabase');
      const reader = new BiffSheetReader({
        name,
        strings: this.#strings,
        styles: this.#styles,
        scope,
        warnings: this.#warnings,
        count,
        filter: filter && this.#filterRange(filter),
        isActive: index === this.#active,
      });
      const sheet = reader.read(new BiffReader(this.#stream, at), sheetStates[state & 3] ?? 'visible');
      calculation = reader.calculation || calculation;
      return sheet;
    });
    return {
      sheets,
      names: this.#definedNames(indexes),
      externalBooks: this.#links.externalBooks(),
      styles: this.#styles.xml(),
      sharedStrings: this.#strings.map((text) => this.#stringItem(text)),
      theme: this.#theme,
      date1904: this.#date1904,
      calculation,
      activeSheet: indexes.get(this.#active) ?? 0,
    };
  }

  #globals(): void {
    const reader = new BiffReader(this.#stream);
    while (reader.next() && reader.type !== recordTypes.eof) this.#globalRecord(reader);
  }

  #globalRecord(reader: BiffReader): void {
    switch (reader.type) {
      case recordTypes.boundSheet: {
        const [at, state, kind] = [reader.u32(), reader.u8(), reader.u8()];
        this.#entries.push({ at, state, kind, name: reader.text8() });
        break;
      }
      case recordTypes.date1904:
        this.#date1904 = reader.u16() === 1;
        break;
      case recordTypes.font:
        this.#styles.font(reader);
        break;
      case recordTypes.format:
        this.#styles.numberFormat(reader);
        break;
      case recordTypes.cellFormat:
        this.#styles.cellFormat(reader);
        break;
      case recordTypes.extendedFormat:
        this.#styles.extendedFormat(reader);
        break;
      case recordTypes.palette:
        this.#styles.colors.setPalette(reader.bytes(Math.min(reader.u16() * 4, reader.left)));
        break;
      case recordTypes.sharedStrings:
        this.#sharedStrings(reader);
        break;
      case recordTypes.name:
        this.#names.push(storedName(reader));
        break;
      case recordTypes.window:
        reader.skip(10);
        this.#active = reader.u16();
        break;
      case recordTypes.theme:
        this.#readTheme(reader);
        break;
      case recordTypes.macros:
        this.#warnings.add('macros (VBA) were left out');
        break;
      default:
        this.#linkRecord(reader);
    }
  }

  #linkRecord(reader: BiffReader): void {
    switch (reader.type) {
      case recordTypes.supportingBook:
        this.#links.supportingBook(reader);
        break;
      case recordTypes.externalName:
        this.#links.externalName(reader);
        break;
      case recordTypes.externalSheets:
        this.#links.externalSheets(reader);
        break;
      case recordTypes.cachedSheet:
        this.#links.cachedSheet(reader);
        break;
      case recordTypes.cachedCells:
        this.#links.cachedCells(reader);
        break;
      default:
    }
  }

  #sharedStrings(reader: BiffReader): void {
    reader.skip(4);
    for (let count = reader.u32(); count > 0; count--) {
      // Stop if the data ends early, because some programs state a larger number of texts than they write.
      if (reader.left === 0 && !reader.nextPiece()) return;
      this.#strings.push(reader.richText());
    }
  }

  /** Reads the theme. A custom theme is stored as an archive with the theme part of xlsx. */
  #readTheme(reader: BiffReader): void {
    reader.skip(12);
    const version = reader.u32();
    if (version === theme2007) this.#theme = officeTheme2007;
    if (version !== 0) return;
    const parts: Uint8Array[] = [reader.rest()];
    while (reader.nextPiece()) parts.push(reader.rest());
    try {
      const archive = openZip(Buffer.concat(parts), defaultLimits);
      const part = [...archive.entries.keys()].find((name) => name.endsWith('theme1.xml'));
      if (part !== undefined) this.#theme = decodeXml(archive.read(part));
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      this.#warnings.add('the theme cannot be read; colors that refer to it are those of the usual theme');
    }
  }

  #stringItem({ text, runs }: RichBiffText): string {
    const piece = (from: number, to: number | undefined): string => {
      const part = text.slice(from, to);
      return `<t${preserveSpace(part)}>${escapeCellText(part)}</t>`;
    };
    if (runs.length === 0) return `<si>${piece(0, undefined)}</si>`;
    const first = runs[0]![0] > 0 ? `<r>${piece(0, runs[0]![0])}</r>` : '';
    const rest = runs.map(([start, font], index) => {
      const end = runs[index + 1]?.[0];
      return start >= text.length || end === start
        ? ''
        : `<r>${this.#styles.runProperties(font)}${piece(start, end)}</r>`;
    });
    return `<si>${first}${rest.join('')}</si>`;
  }

  #formulaOf({ sheet, tokens, extra }: StoredName): string {
    return formulaText(tokens, extra, { row: 0, col: 0, isName: true }, this.#links.scopeOf(sheet));
  }

  #filterRange(name: StoredName): string | undefined {
    try {
      return this.#formulaOf(name).replace(/^.*!/s, '').replaceAll('$', '');
    } catch (error) {
      if (!(error instanceof UnsupportedFormula)) throw error;
      return undefined;
    }
  }

  #definedNames(indexes: ReadonlyMap<number, number>): ForeignName[] {
    return this.#names.flatMap((one): ForeignName[] => {
      const { name, sheet, isHidden, isFunction, tokens } = one;
      if (isFunction || tokens.length === 0 || (sheet >= 0 && !indexes.has(sheet))) return [];
      try {
        return [{ name, sheet: indexes.get(sheet), isHidden, formula: this.#formulaOf(one) }];
      } catch (error) {
        if (!(error instanceof UnsupportedFormula)) throw error;
        this.#warnings.add(`the name '${name.slice(0, 100)}' ${error.message} and was left out`);
        return [];
      }
    });
  }
}

function storedName(reader: BiffReader): StoredName {
  const flags = reader.u16();
  reader.skip(1);
  const length = reader.u8();
  const size = reader.u16();
  reader.skip(2);
  const sheet = reader.u16() - 1;
  reader.skip(4);
  const given = reader.text(length);
  const isBuiltIn = (flags & 0x20) !== 0;
  const name = isBuiltIn ? `_xlnm.${builtInNames[given.charCodeAt(0)] ?? given}` : given;
  const tokens = reader.bytes(size);
  return {
    name,
    sheet,
    isHidden: (flags & 1) !== 0,
    isFunction: (flags & 0x0a) !== 0 || /^_xl(?:fn|udf)\./i.test(name),
    tokens,
    extra: reader.rest(),
  };
}
