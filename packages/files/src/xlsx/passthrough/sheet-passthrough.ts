import type { ZipArchive } from '../../zip/reader.ts';
import type { XmlReader } from '../../xml/xml-reader.ts';
import {
  type PassthroughElement,
  type Comment,
  type ConditionalFormat,
  type Freeze,
  type KeptText,
  meets,
  type Point,
  type Region,
  rectOf,
  regionOf,
  type SheetSetup,
  type Table,
  type Validation,
} from '@sheaf/engine/internal/document';
import { parseCell, parseRect } from '@sheaf/engine';
import type { ImportContext } from '../import-context.ts';
import { readConditionalFormatting, type ParsedFormat } from '../rules/read-conditional-formats.ts';
import { readValidation } from '../rules/read-validation.ts';
import { partText, type Relationship } from '../../containers/package-parts.ts';
import { unprefixedAttributesXml, mainNamespace, xmlEscape } from '../xml-escape.ts';
import { cellPadding, pixelsPerCharacter } from '../write-columns.ts';
import { readNotes, joinThreads } from '../read-comments.ts';
import { placeholder } from './placeholders.ts';
import { type CapturedReferences, type PassthroughReader, regionsOf } from './passthrough-reader.ts';
import { readTable } from '../read-tables.ts';
import { readThreads } from '../comment-threads.ts';
import { shapePlaces, shapesFingerprint } from '../write-comments.ts';
import { readView } from './view-passthrough.ts';
import {
  readElementContent,
  childrenNamed,
  descendantsOf,
  localNameOf,
  readStartTag,
  prefixOf,
  printXml,
  textOf,
  type NamespaceScope,
  type XmlElement,
} from '../xml-tree.ts';

/** Worksheet elements that concern the whole sheet. Each is stored and written back on export as a whole. */
const wholeElements = new Set(
  `sheetCalcPr phoneticPr dataConsolidate customSheetViews scenarios printOptions pageMargins pageSetup headerFooter
customProperties picture legacyDrawingHF oleObjects controls webPublishItems`.split(/\s+/),
);
/** Worksheet elements that list entries by range. Each entry is stored and written back on export separately. */
const listElements = new Set(['dataValidations', 'ignoredErrors', 'protectedRanges', 'cellWatches']);
/**
 * Kinds of relationships of a worksheet whose target is read into the document or is named by a worksheet element.
 * Targets of other relationships are stored and written back on export unchanged.
 */
const modeledRelations = new Set(
  `drawing vmlDrawing comments table hyperlink pivotTable threadedComment printerSettings image oleObject package control
ctrlProp slicer timeline customProperty`.split(/\s+/),
);
const maxPassthroughEntries = 10_000;

export interface SheetTab {
  readonly state: string | undefined;
  readonly isActive: boolean;
}

type PassthroughContext = Pick<ImportContext, 'passthrough' | 'formats' | 'theme' | 'persons' | 'warnings'>;

/**
 * Reads the content of a worksheet other than its cells. Supported features are converted; everything else is stored
 * unchanged for export (passthrough).
 */
export class SheetPassthrough {
  readonly carried: PassthroughElement[] = [];
  readonly validations: Validation[] = [];
  readonly comments: Comment[] = [];
  readonly tables: Table[] = [];
  freeze: Freeze = { rows: 0, cols: 0 };
  readonly #rules: ParsedFormat[] = [];
  readonly #book: PassthroughContext;
  readonly #passthrough: PassthroughReader;
  readonly #relations: ReadonlyMap<string, Relationship>;
  readonly #name: string;
  readonly #more: Record<string, string> = {};
  #scope: NamespaceScope = new Map([['', mainNamespace]]);
  /** Settings of the sheet. Columns are 64 pixels wide if the file has no default column width. */
  #setup: SheetSetup = { colWidth: 64 };
  #hasShapes = false;
  /** Relationship id of the VML drawing with the boxes of notes, form controls and embedded objects. */
  #legacyDrawing: string | undefined;
  #isActive = false;
  #isFull = false;

  constructor(book: PassthroughContext, relations: ReadonlyMap<string, Relationship>, name: string) {
    this.#book = book;
    this.#passthrough = book.passthrough;
    this.#relations = relations;
    this.#name = name;
  }

  /**
   * Conditional formats in order of precedence. Their ids depend only on the order, so importing a file again gives the
   * same ids.
   */
  get formats(): readonly ConditionalFormat[] {
    return [...this.#rules]
      .sort((a, b) => a.priority - b.priority)
      .map(({ format }, index) => ({ ...format, id: `format_${index + 1}` }));
  }

  /** Records the sheet's protection attributes, and the ids of the protections created from them. */
  protect(attributes: string, ids: readonly string[]): void {
    this.#setup = { ...this.#setup, protection: { attributes, ids } };
  }

  /**
   * Stores the positions of cells that the file lists although they are empty and have no format of their own, so that
   * the export lists them too.
   */
  emptyCells(regions: readonly Region[]): void {
    const text = regions.length > 0 ? this.#passthrough.text({ xml: '' }) : undefined;
    if (text !== undefined) this.put({ kind: 'emptyCells', text, regions });
  }

  spellMerges(refs: readonly string[]): void {
    this.#more['merges'] = refs.join(' ');
  }

  get setup(): SheetSetup {
    return { ...this.#setup, ...(Object.keys(this.#more).length > 0 ? { more: this.#more } : {}) };
  }

  /** Records the namespaces declared by the worksheet's root element. */
  open(reader: XmlReader): void {
    this.#scope = readStartTag(reader, this.#scope).scope;
  }

  get scope(): NamespaceScope {
    return this.#scope;
  }

  /** Reads or stores the element just opened if its kind is supported. Returns whether the element was consumed. */
  readElement(reader: XmlReader): boolean {
    const { name } = reader;
    if (name === 'sheetPr') this.#properties(readElementContent(reader, this.#scope));
    else if (name === 'sheetViews') this.#view(readElementContent(reader, this.#scope));
    else if (name === 'sheetFormatPr') this.#format(readElementContent(reader, this.#scope));
    else if (name === 'conditionalFormatting') this.#conditional(readElementContent(reader, this.#scope), name);
    else if (wholeElements.has(name)) this.#whole(readElementContent(reader, this.#scope), name);
    else if (listElements.has(name)) {
      const list = readElementContent(reader, this.#scope);
      if (name !== 'dataValidations' || unprefixedAttributesXml(list.attributes, ['count']) !== '')
        this.#more[name] = unprefixedAttributesXml(list.attributes, ['count']);
      for (const one of list.children) {
        if (typeof one === 'string') continue;
        const rule =
          name === 'dataValidations' ? readValidation(one, `validation_${this.validations.length + 1}`) : undefined;
        if (rule && this.validations.length < maxPassthroughEntries) this.validations.push(rule);
        else this.#ranged(one, localNameOf(one.tag));
      }
    } else if (name === 'rowBreaks' || name === 'colBreaks')
      this.#breaks(readElementContent(reader, this.#scope), name);
    else if (name === 'sortState') this.#sorted(readElementContent(reader, this.#scope), name);
    else if (name === 'AlternateContent') this.#alternate(readElementContent(reader, this.#scope));
    else if (name === 'tableParts') {
      if (readElementContent(reader, this.#scope).children.length === 0) this.#more[name] = '';
    } else if (name === 'legacyDrawing') this.#legacyDrawing = reader.attributes(true).get('id');
    else if (name === 'extLst') this.#extensions(readElementContent(reader, this.#scope));
    else return false;
    return true;
  }

  #view(element: XmlElement): void {
    const { freeze, setup, carried } = readView(element, this.#passthrough, this.#isActive);
    this.freeze = freeze;
    this.#setup = { ...this.#setup, ...setup };
    if (carried) this.put(carried);
  }

  /** Stores the last sort order applied to a filter. */
  sort(element: XmlElement): void {
    this.#sorted(element, 'filterSort');
  }

  #sorted(element: XmlElement, kind: string): void {
    const found: CapturedReferences = { formulas: [], regions: undefined };
    const made = this.#passthrough.print(element, mainNamespace, this.#relations, found, {
      attribute: (_, name, value) => {
        // A `dxfId` index is valid only in this file, so an element that contains one is not stored.
        if (name === 'dxfId') return '0';
        return name === 'ref' ? placeholder('f', found.formulas.push(value) - 1) : undefined;
      },
    });
    if (!made.xml.includes('dxfId')) this.#add(kind, made, found);
  }

  /** Records the visibility of the sheet's tab and whether the sheet is active. */
  tab({ state, isActive }: SheetTab): void {
    this.#isActive = isActive;
    if (state === 'hidden' || state === 'veryHidden') this.#setup = { ...this.#setup, visibility: state };
  }

  /** Reads the tables, notes and comment threads, which are separate parts of the file. */
  parts(archive: ZipArchive): void {
    const kinds = [...this.#relations.values()];
    for (const relation of kinds) {
      if (relation.kind === 'table') this.#table(readTable(archive, relation, this.#passthrough, this.#book.formats));
    }
    // A sheet may have a second VML drawing, with the pictures of its headers and footers. The boxes of notes are
    // searched in both.
    const shapes = kinds.flatMap((one) => (one.kind === 'vmlDrawing' ? (partText(archive, one.target) ?? []) : []));
    const drawn = shapes.length > 0 ? shapes.join('\n') : undefined;
    const read = (kind: string, from: (xml: string, relation: Relationship) => Comment[]): Comment[] =>
      kinds.flatMap((one) => (one.kind === kind ? from(partText(archive, one.target) ?? '', one) : []));
    const notes = read('comments', (xml, relation) => readNotes(xml, relation, drawn));
    const threads = read('threadedComment', (xml, { target }) => readThreads(xml, target, this.#book.persons));
    for (const one of joinThreads(notes, threads)) this.comments.push(one);
    for (const relation of kinds) {
      const linked = modeledRelations.has(relation.kind) ? undefined : this.#passthrough.relation(relation);
      const text = linked && this.#passthrough.text({ xml: '', linked: [linked] });
      if (text !== undefined) this.put({ kind: 'relation', text });
    }
    const drawing = this.#relations.get(this.#legacyDrawing ?? '');
    const kept = drawing && this.#passthrough.relation(drawing);
    if (!kept) return;
    // If the drawing holds only the boxes of notes, store it with the kind `noteShapes`, so that it is dropped when all
    // notes are deleted.
    const isNotes = !this.#hasShapes && this.comments.length > 0;
    const text = this.#passthrough.text({
      xml: `<legacyDrawing r:id="${placeholder('r', 0)}"/>`,
      relations: [kept],
      read: shapesFingerprint(this.comments),
      reads: shapePlaces(this.comments),
    });
    if (text !== undefined) this.put({ kind: isNotes ? 'noteShapes' : 'legacyDrawing', text });
  }

  #table(table: Table | undefined): void {
    if (!table || this.tables.length >= maxPassthroughEntries) return;
    const isFree = this.tables.every((one) => !meets(rectOf(one.regions[0]!), rectOf(table.regions[0]!)));
    if (isFree) this.tables.push(table);
    else this.#book.warnings.add(`'${this.#name}' has tables that overlap; only the first of them was taken over`);
  }

  /** Adds an imported element to be written back on export, up to a limit. */
  put(one: PassthroughElement): void {
    if (this.carried.length < maxPassthroughEntries) this.carried.push(one);
    else if (!this.#isFull) {
      this.#isFull = true;
      this.#book.warnings.add(
        `'${this.#name}' has more than ${maxPassthroughEntries} conditional formats, validations, comments and the like; the rest was left out`,
      );
    }
  }

  #properties(element: XmlElement): void {
    const [color] = childrenNamed(element, 'tabColor');
    if (color) this.#setup = { ...this.#setup, tabColor: unprefixedAttributesXml(color.attributes).trim() };
    const rest = element.children
      .filter((one): one is XmlElement => typeof one !== 'string' && localNameOf(one.tag) !== 'tabColor')
      .map((one) => printXml(one, mainNamespace));
    if (rest.length > 0) this.#more['properties'] = rest.join('');
    const attributes = unprefixedAttributesXml(element.attributes, ['filterMode']);
    if (attributes !== '') this.#more['propertyAttributes'] = attributes;
  }

  #format({ attributes }: XmlElement): void {
    const width = Number(attributes.get('defaultColWidth') ?? Number.NaN);
    const base = Number(attributes.get('baseColWidth') ?? 8);
    const height = Number(attributes.get('defaultRowHeight') ?? Number.NaN);
    // Without an explicit width, the default column fits `base` digits plus padding, rounded up to a multiple of eight
    // pixels.
    const pixels =
      width > 0
        ? width * pixelsPerCharacter
        : Math.ceil((Math.max(0, base) * pixelsPerCharacter + cellPadding) / 8) * 8;
    this.#setup = {
      ...this.#setup,
      colWidth: Math.min(10_000, Math.max(1, Math.round(pixels))),
      ...(height > 0 ? { rowHeight: Math.min(409, height) } : {}),
    };
    this.#more['format'] = unprefixedAttributesXml(attributes, ['outlineLevelRow', 'outlineLevelCol']);
    const levels = ['outlineLevelRow', 'outlineLevelCol'].flatMap((name) => {
      const value = Number(attributes.get(name) ?? 0);
      return value > 0 ? [` ${name}="${value}"`] : [];
    });
    if (levels.length > 0) this.#more['outlineLevels'] = levels.join('');
  }

  /**
   * Compares the sheet's deepest outline levels of rows and columns with the levels that the file declares. If they
   * agree, removes the declared levels, because the export calculates the same ones. If they differ, stores the deepest
   * levels too: while they stay unchanged, the export writes the declared levels. Does nothing if the file declares
   * none.
   */
  outline(rows: number, cols: number): void {
    const written = `${rows > 0 ? ` outlineLevelRow="${rows}"` : ''}${cols > 0 ? ` outlineLevelCol="${cols}"` : ''}`;
    if (this.#more['outlineLevels'] === written) delete this.#more['outlineLevels'];
    else if (this.#more['outlineLevels'] !== undefined) this.#more['outline'] = `${rows},${cols}`;
  }

  /**
   * Stores that a cell has a picture or another rich value: `number` is the index of an entry in the file's value
   * metadata.
   */
  richValue(row: number, col: number, number: number): void {
    this.#passthrough.hasRichValues = true;
    const text = this.#passthrough.text({ xml: '', pieces: [String(number)] });
    if (text !== undefined) this.put({ kind: 'richValue', text, regions: [[row, col, row, col]] });
  }

  /**
   * Stores a what-if data table for export. Its values stay in the cells; its formula is exported with the first cell.
   */
  dataTable(row: number, col: number, attributes: ReadonlyMap<string, string>): void {
    const rect = parseRect(attributes.get('ref') ?? '');
    if (!rect) return;
    const points: Point[] = [];
    const inputs = ['r1', 'r2'].map((name) => {
      const at = parseCell(attributes.get(name) ?? '');
      return at ? ` ${name}="${placeholder('c', points.push([at.row, at.col]) - 1)}"` : '';
    });
    const rest = unprefixedAttributesXml(attributes, ['t', 'ref', 'r1', 'r2']);
    const xml = `<f t="dataTable" ref="${placeholder('q', 0)}"${rest}${inputs.join('')}/>`;
    const text = this.#passthrough.text({ xml });
    if (text !== undefined) this.put({ kind: 'dataTable', text, regions: [regionOf(rect)], points });
  }

  #whole(element: XmlElement, kind: string, inner = kind): void {
    const found: CapturedReferences = { formulas: [], regions: undefined };
    const made = this.#passthrough.sheetElement(element, this.#relations, found);
    if (inner === 'oleObjects' || inner === 'controls') this.#hasShapes = true;
    this.#add(kind, made, { ...found, regions: undefined });
  }

  #alternate(element: XmlElement): void {
    const inner = [...descendantsOf(element)].find((one) => wholeElements.has(localNameOf(one.tag)));
    if (inner) this.#whole(element, localNameOf(inner.tag));
  }

  #conditional(element: XmlElement, kind: string): void {
    const found = readConditionalFormatting(element, this.#book);
    if (found && this.#rules.length + found.length <= maxPassthroughEntries) this.#rules.push(...found);
    else this.#ranged(element, kind);
  }

  #ranged(element: XmlElement, kind: string): void {
    const found: CapturedReferences = { formulas: [], regions: undefined };
    const pieces: string[] = [];
    const made = this.#passthrough.print(element, mainNamespace, this.#relations, found, {
      attribute: (_, name, value) => {
        const format = name === 'dxfId' ? this.#book.formats[Number(value)] : undefined;
        return format === undefined ? undefined : placeholder('d', pieces.push(format) - 1);
      },
    });
    this.#add(kind, { ...made, ...(pieces.length > 0 ? { pieces } : {}) }, found);
  }

  #add(kind: string, text: KeptText, { formulas, regions }: CapturedReferences): void {
    if (regions?.length === 0) return;
    const place = this.#passthrough.text(text);
    if (place === undefined) return;
    this.put({
      kind,
      text: place,
      ...(regions ? { regions } : {}),
      ...(formulas.length > 0 ? { formulas } : {}),
    });
  }

  #breaks(element: XmlElement, kind: 'rowBreaks' | 'colBreaks'): void {
    for (const one of childrenNamed(element, 'brk')) {
      const at = Number(one.attributes.get('id'));
      if (!Number.isInteger(at) || at < 1) continue;
      const rows = kind === 'rowBreaks';
      const xml = `<brk id="${placeholder(rows ? 'y' : 'x', 0)}"${unprefixedAttributesXml(one.attributes, ['id'])}/>`;
      const text = this.#passthrough.text({ xml });
      if (text !== undefined) this.put({ kind, text, points: [rows ? [at, 0] : [0, at]] });
    }
  }

  /** Reads the extension list, in which newer programs store conditional formats, validations and sparklines. */
  #extensions(list: XmlElement): void {
    for (const extension of childrenNamed(list, 'ext')) {
      const uri = extension.attributes.get('uri') ?? '';
      const entries = extension.children.filter((one): one is XmlElement => typeof one !== 'string');
      const [group] = entries;
      const isList =
        group !== undefined &&
        entries.length === 1 &&
        ['conditionalFormattings', 'dataValidations', 'sparklineGroups'].includes(localNameOf(group.tag));
      if (!isList) {
        const found: CapturedReferences = { formulas: [], regions: undefined };
        const made = this.#passthrough.print(extension, mainNamespace, this.#relations, found);
        this.#add('ext', made, { ...found, regions: undefined });
        continue;
      }
      const open = `ext ${uri} ${localNameOf(group.tag)}`;
      for (const one of group.children) {
        if (typeof one === 'string') continue;
        const found: CapturedReferences = { formulas: [], regions: undefined };
        if (childrenNamed(one, 'sqref').length > 0) found.regions = regionsOf(textOf(childrenNamed(one, 'sqref')[0]!));
        const regions = found.regions;
        found.regions = undefined;
        const made = this.#passthrough.print(one, mainNamespace, this.#relations, found);
        this.#add(open, made, { formulas: found.formulas, regions });
      }
      const prefix = prefixOf(group.tag);
      const namespace = group.scope.get(prefix);
      if (namespace !== undefined)
        this.#more[open] =
          `${group.tag} xmlns${prefix && `:${prefix}`}="${xmlEscape(namespace)}"` +
          unprefixedAttributesXml(group.attributes, ['count']);
    }
  }
}
