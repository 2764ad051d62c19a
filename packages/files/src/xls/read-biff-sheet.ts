import { maxCols, rectName } from '@sheaf/engine';
import { FormulaWarnings } from '../xlsx/formula-warnings.ts';
import { BiffCells } from './biff-cells.ts';
import { BiffObjects } from './biff-objects.ts';
import { BiffPage } from './biff-page.ts';
import type { BiffReader, RichBiffText } from './biff-reader.ts';
import { BiffRules, readRect } from './biff-rules.ts';
import type { BiffStyles } from './biff-styles.ts';
import { BiffView } from './biff-view.ts';
import type { FormulaScope } from './formula-text.ts';
import type { ForeignSheet } from './workbook-model.ts';

const records = {
  bof: 0x0809,
  eof: 0x000a,
  row: 0x0208,
  column: 0x007d,
  defaultRow: 0x0225,
  defaultColumn: 0x0055,
  standardWidth: 0x0099,
  merges: 0x00e5,
  note: 0x001c,
  object: 0x005d,
  objectText: 0x01b6,
  link: 0x01b8,
  linkTooltip: 0x0800,
  conditionalRange: 0x01b0,
  conditionalRule: 0x01b1,
  newConditionalRange: 0x0879,
  validation: 0x01be,
  pivotTable: 0x00b0,
  filterColumn: 0x009e,
  iteration: 0x0011,
  iterationCount: 0x000c,
  iterationDelta: 0x0010,
  protect: 0x0012,
  protectObjects: 0x0063,
  protectScenarios: 0x00dd,
  password: 0x0013,
  features: 0x0867,
} as const;

/**
 * Names of the xlsx attributes for the permissions of a protected sheet, in the order of their bits in .xls. In xlsx,
 * the attribute value 0 means allowed.
 */
const permissions = (
  'objects scenarios formatCells formatColumns formatRows insertColumns insertRows insertHyperlinks deleteColumns ' +
  'deleteRows selectLockedCells sort autoFilter pivotTables selectUnlockedCells'
).split(' ');
const allowedByDefault = new Set(['selectLockedCells', 'selectUnlockedCells']);

export interface BiffSheetContext {
  readonly name: string;
  readonly strings: readonly RichBiffText[];
  readonly styles: BiffStyles;
  readonly scope: FormulaScope;
  readonly warnings: Set<string>;
  /** Called once per cell. Throws if the workbook has too many cells. */
  readonly count: () => void;
  /** Range of the sheet's filter. */
  readonly filter: string | undefined;
  readonly isActive: boolean;
}

/** Reads a worksheet of a BIFF8 stream. */
export class BiffSheetReader {
  readonly #context: BiffSheetContext;
  readonly #cells: BiffCells;
  readonly #unsupported = new FormulaWarnings('its last value was kept');
  readonly #rules: BiffRules;
  readonly #objects: BiffObjects;
  readonly #page = new BiffPage();
  readonly #view: BiffView;
  readonly #merges: string[] = [];
  #columns = '';
  #defaults = ' defaultRowHeight="12.75"';
  #defaultRow = 0;
  #protection = new Map<string, string>();
  #permitted: number | undefined;
  #isFiltered = false;
  /** XML attributes of `calcPr` (calculation settings), which .xls stores in every sheet. */
  calculation = '';

  constructor(context: BiffSheetContext) {
    this.#context = context;
    const { strings, scope, count, styles, name, warnings } = context;
    const warn = (what: string): void => void warnings.add(`${what} on '${name}' were left out`);
    this.#cells = new BiffCells(strings, scope, count, (message, row, col) => this.#unsupported.add(message, row, col));
    this.#rules = new BiffRules(styles, scope, warn);
    this.#objects = new BiffObjects(styles, warn);
    this.#view = new BiffView(styles.colors, context.isActive);
  }

  read(reader: BiffReader, state: ForeignSheet['state']): ForeignSheet {
    // Skip embedded charts, which are nested between their own BOF and EOF records.
    for (let depth = 0; reader.next();) {
      if (reader.type === records.bof) depth++;
      else if (reader.type === records.eof) {
        if (--depth <= 0) break;
      } else if (depth === 1 && !this.#cells.record(reader)) this.#record(reader);
    }
    this.#cells.finish();
    const { name, warnings, filter } = this.#context;
    this.#unsupported.warn(name, warnings);
    if (this.#isFiltered)
      warnings.add(`the filter conditions on '${name}' were left out; the rows they hide stay hidden`);
    const merges = this.#merges.map((ref) => `<mergeCell ref="${ref}"/>`).join('');
    return {
      name,
      state,
      rows: this.#cells.rows,
      comments: this.#objects.comments(),
      links: this.#objects.links,
      before:
        this.#view.xml() +
        `<sheetFormatPr${this.#defaults}/>${this.#columns === '' ? '' : `<cols>${this.#columns}</cols>`}`,
      after:
        this.#protectionXml() +
        (filter === undefined || !this.#view.hasFilter ? '' : `<autoFilter ref="${filter}"/>`) +
        (merges === '' ? '' : `<mergeCells count="${this.#merges.length}">${merges}</mergeCells>`) +
        this.#rules.xml(),
      page: this.#page.xml(),
    };
  }

  #record(reader: BiffReader): void {
    switch (reader.type) {
      case records.row:
        this.#row(reader);
        break;
      case records.column:
        this.#column(reader);
        break;
      case records.defaultRow:
        reader.skip(2);
        this.#defaultRow = reader.u16();
        this.#defaults = ` defaultRowHeight="${this.#defaultRow / 20}"${this.#defaults.replace(/^ defaultRowHeight="[^"]*"/, '')}`;
        break;
      case records.defaultColumn:
        this.#defaults += ` baseColWidth="${reader.u16()}"`;
        break;
      case records.standardWidth:
        this.#defaults += ` defaultColWidth="${reader.u16() / 256}"`;
        break;
      case records.merges:
        for (let count = reader.u16(); count > 0; count--) this.#merges.push(rectName(readRect(reader)));
        break;
      case records.pivotTable:
        this.#context.warnings.add(`pivot tables on '${this.#context.name}' stay as the values they show`);
        break;
      case records.filterColumn:
        this.#isFiltered = true;
        break;
      default:
        if (!this.#page.record(reader) && !this.#view.record(reader)) this.#settings(reader);
    }
  }

  #settings(reader: BiffReader): void {
    switch (reader.type) {
      case records.note:
        this.#objects.note(reader);
        break;
      case records.object:
        this.#objects.object(reader);
        break;
      case records.objectText:
        this.#objects.objectText(reader);
        break;
      case records.link:
        this.#objects.link(reader);
        break;
      case records.linkTooltip:
        this.#objects.linkTooltip(reader);
        break;
      case records.conditionalRange:
        this.#rules.conditionalRange(reader);
        break;
      case records.conditionalRule:
        this.#rules.conditionalRule(reader);
        break;
      case records.newConditionalRange:
        this.#context.warnings.add(
          `conditional formats on '${this.#context.name}' that only Excel 2007 and later know were left out`,
        );
        break;
      case records.validation:
        this.#rules.validation(reader);
        break;
      case records.iteration:
        if (reader.u16() !== 0) this.calculation += ' iterate="1"';
        break;
      case records.iterationCount:
        this.calculation += ` iterateCount="${reader.u16()}"`;
        break;
      case records.iterationDelta:
        this.calculation += ` iterateDelta="${reader.f64()}"`;
        break;
      default:
        this.#protect(reader);
    }
  }

  #row(reader: BiffReader): void {
    const row = reader.u16();
    reader.skip(4);
    const height = reader.u16();
    reader.skip(4);
    const flags = reader.u32();
    const has = (bit: number): boolean => (flags & (1 << bit)) !== 0;
    // The highest bit of the height marks a row with the default height.
    const hasHeight = height < 0x8000 && height > 0 && (has(6) || height !== this.#defaultRow);
    const attributes = [
      has(7) ? ` s="${(flags >>> 16) & 0xfff}" customFormat="1"` : '',
      hasHeight ? ` ht="${height / 20}"` : '',
      hasHeight && has(6) ? ' customHeight="1"' : '',
      has(5) ? ' hidden="1"' : '',
      (flags & 7) === 0 ? '' : ` outlineLevel="${flags & 7}"`,
      has(4) ? ' collapsed="1"' : '',
    ].join('');
    if (attributes !== '') this.#cells.row(row).attributes = attributes;
  }

  #column(reader: BiffReader): void {
    const [first, last, width, format, flags] = [reader.u16(), reader.u16(), reader.u16(), reader.u16(), reader.u16()];
    if (first > last || first > 255) return;
    const level = (flags >> 8) & 7;
    this.#columns +=
      `<col min="${first + 1}" max="${last >= 255 ? maxCols : last + 1}" width="${width / 256}" style="${format}" customWidth="1"` +
      `${(flags & 1) === 0 ? '' : ' hidden="1"'}${level === 0 ? '' : ` outlineLevel="${level}"`}` +
      `${(flags & 0x1000) === 0 ? '' : ' collapsed="1"'}/>`;
  }

  #protect(reader: BiffReader): void {
    switch (reader.type) {
      case records.protect:
        if (reader.u16() !== 0) this.#protection.set('sheet', '1');
        break;
      case records.protectObjects:
        if (reader.u16() !== 0) this.#protection.set('objects', '1');
        break;
      case records.protectScenarios:
        if (reader.u16() !== 0) this.#protection.set('scenarios', '1');
        break;
      case records.password: {
        const hash = reader.u16();
        if (hash !== 0) this.#protection.set('password', hash.toString(16).toUpperCase().padStart(4, '0'));
        break;
      }
      case records.features:
        reader.skip(12);
        // Type 2 is the enhanced protection of Excel 2002 and later, which adds the permissions.
        if (reader.u16() !== 2 || reader.left < 9) break;
        reader.skip(5);
        this.#permitted = reader.u32();
        break;
      default:
    }
  }

  #protectionXml(): string {
    if (!this.#protection.has('sheet')) return '';
    const permitted = this.#permitted;
    if (permitted !== undefined)
      permissions.slice(2).forEach((name, index) => {
        const isAllowed = ((permitted >>> (index + 2)) & 1) !== 0;
        if (isAllowed !== allowedByDefault.has(name)) this.#protection.set(name, isAllowed ? '0' : '1');
      });
    return `<sheetProtection${[...this.#protection].map(([name, value]) => ` ${name}="${value}"`).join('')}/>`;
  }
}
