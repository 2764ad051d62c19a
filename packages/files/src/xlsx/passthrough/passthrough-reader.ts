import { deflateRawSync } from 'node:zlib';
import type { ZipArchive } from '../../zip/reader.ts';
import {
  type KeptFormulas,
  type KeptLook,
  type KeptPart,
  type KeptRelation,
  type KeptStyle,
  type KeptText,
  type Point,
  type Region,
  regionOf,
  type StylePatch,
} from '@sheaf/engine/internal/document';
import { parseRect } from '@sheaf/engine';
import { FormatError } from '../../format-error.ts';
import { eachElement, partText, readRelationships, type Relationship } from '../../containers/package-parts.ts';
import { mainNamespace, relationshipsNamespace, xmlEscape } from '../xml-escape.ts';
import { ownNumber, placeholder } from './placeholders.ts';
import type { CellFormatXml, NamedStyle } from './style-passthrough.ts';
import { descendantsOf, localNameOf, parseXml, printXml, textOf, type XmlElement } from '../xml-tree.ts';

/**
 * Maximum total size of imported content that a document stores unchanged for export. A part (a file inside the XLSX
 * package) counts with its compressed size.
 */
const maxPassthroughBytes = 8 * 2 ** 20;
/** Maximum total size of the stored XML of cell formats, rich texts, and row and column attributes. */
const maxWordBytes = 8 * 2 ** 20;
const maxPartBytes = 64 * 2 ** 20;
const maxTexts = 20_000;
const maxPartDepth = 8;

const formulaTags = new Set(['formula', 'formula1', 'formula2', 'f']);
/** Relationship types of macros, which are never stored. */
const macroRelations = /vbaProject|xlMacrosheet|attachedToolbars/i;

/**
 * Formulas and cell ranges taken from stored XML, which contains placeholders instead. They follow edits of the
 * document, and the export fills the placeholders with them.
 */
export interface CapturedReferences {
  readonly formulas: string[];
  regions: Region[] | undefined;
}

function noReferences(): CapturedReferences {
  return { formulas: [], regions: undefined };
}

export interface PrintOptions {
  /** Stores the target of a relationship. If this option is missing, the whole target part is stored. */
  readonly relationOf?: (relation: Relationship) => KeptRelation | undefined;
  /** Returns the replacement for an attribute, or undefined for the default handling. */
  readonly attribute?: (element: XmlElement, name: string, value: string) => string | undefined;
  readonly text?: (element: XmlElement) => string | undefined;
}

/**
 * Collects the content of an imported file that a document stores unchanged and writes back on export (passthrough).
 */
export class PassthroughReader {
  readonly texts: KeptText[] = [];
  readonly parts: Record<string, KeptPart> = {};
  readonly words: string[] = [];
  /** True if a cell has a picture or another rich value, which is described in separate parts of the workbook. */
  hasRichValues = false;
  readonly looks: KeptLook[] = [];
  readonly formulas: KeptFormulas[] = [];
  readonly #wordNumbers = new Map<string, number>();
  readonly #lookNumbers = new Map<string, number>();
  readonly #archive: ZipArchive;
  readonly #warnings: Set<string>;
  readonly #types = new Map<string, string>();
  readonly #keys = new Map<string, string>();
  #bytes = 0;
  #wordBytes = 0;
  #tables = 0;
  readonly #tableNames = new Set<string>();

  constructor(archive: ZipArchive, warnings: Set<string>) {
    this.#archive = archive;
    this.#warnings = warnings;
    const xml = partText(archive, '[Content_Types].xml');
    if (xml === undefined) return;
    eachElement(xml, '[Content_Types].xml', {
      open: ({ name, attributes }) => {
        const type = attributes.get('ContentType') ?? '';
        if (name === 'Override')
          this.#types.set((attributes.get('PartName') ?? '').replace(/^\//, '').toLowerCase(), type);
        else if (name === 'Default') this.#types.set(`.${(attributes.get('Extension') ?? '').toLowerCase()}`, type);
      },
    });
  }

  typeOf(part: string): string {
    const path = part.toLowerCase();
    return this.#types.get(path) ?? this.#types.get(path.slice(path.lastIndexOf('.'))) ?? 'application/octet-stream';
  }

  /**
   * Adds `bytes` to the total size of the content stored for export. If this would exceed the limit, adds a warning and
   * returns false; the content must then be left out.
   */
  #reserve(bytes: number, what: string): boolean {
    if (this.#bytes + bytes <= maxPassthroughBytes && this.texts.length < maxTexts) {
      this.#bytes += bytes;
      return true;
    }
    this.#warnings.add(
      `${what} and what else is not shown here takes more than ${maxPassthroughBytes} bytes and was left out`,
    );
    return false;
  }

  /** Counts bytes towards the limit for formatting. If the limit is reached, adds a warning and returns false. */
  #reserveWords(bytes: number): boolean {
    this.#wordBytes += bytes;
    if (this.#wordBytes <= maxWordBytes) return true;
    this.#warnings.add(
      `the formatting takes more than ${maxWordBytes} bytes; some of it is exported as it is shown here, without theme colors`,
    );
    return false;
  }

  tableNumber(): number {
    return ++this.#tables;
  }

  /** Reserves a table name and returns it. A numeric suffix is added if the wanted name is taken. */
  tableName(wanted: string): string {
    for (let number = 1; ; number++) {
      const name = number === 1 ? wanted : `${wanted}_${number}`;
      if (this.#tableNames.has(name.toUpperCase())) continue;
      this.#tableNames.add(name.toUpperCase());
      return name;
    }
  }

  /** Stores XML to be written back on export. Returns its index, or undefined if the size limit is reached. */
  text(text: KeptText): number | undefined {
    const size = text.xml.length + (text.pieces?.reduce((sum, one) => sum + one.length, 0) ?? 0);
    return this.#reserve(size, `'${/^<([\w:]+)/.exec(text.xml)?.[1] ?? 'a part'}'`)
      ? this.texts.push(text) - 1
      : undefined;
  }

  /** Stores the formulas of a sub-sheet as the imported file spells them. */
  keepSpellings(formulas: KeptFormulas): void {
    const size = formulas.texts.reduce((sum, text) => sum + text.length, 0);
    if (this.#reserve(size, 'the spelling of formulas')) this.formulas.push(formulas);
  }

  /** Stores a piece of XML without duplicates. Returns its 1-based number, or 0 if the limit is reached. */
  word(text: string): number {
    const known = this.#wordNumbers.get(text);
    if (known !== undefined) return known;
    const number = this.#reserveWords(text.length) ? this.words.push(text) : 0;
    this.#wordNumbers.set(text, number);
    return number;
  }

  /** Stores a cell format without duplicates, together with the style read from it. Returns its 1-based number. */
  look({ font, fill, border, ...rest }: CellFormatXml, style: StylePatch): number {
    const look = {
      style: style as KeptLook['style'],
      ...rest,
      font: this.word(font),
      fill: this.word(fill),
      border: this.word(border),
    };
    const text = JSON.stringify(look);
    const known = this.#lookNumbers.get(text);
    if (known !== undefined) return known;
    const isComplete = look.font > 0 && look.fill > 0 && look.border > 0 && this.#reserveWords(text.length);
    const number = isComplete ? this.looks.push(look) : 0;
    this.#lookNumbers.set(text, number);
    return number;
  }

  /**
   * Stores the XML of a named style in `KeptBook.words`. Returns the style with the numbers of the stored entries in
   * place of the XML, or undefined if the size limit is reached.
   */
  style(style: NamedStyle): KeptStyle | undefined {
    const look = this.word(style.look);
    const font = this.word(style.font);
    const fill = this.word(style.fill);
    const border = this.word(style.border);
    const isComplete = look > 0 && font > 0 && fill > 0 && border > 0;
    return isComplete && this.#reserveWords(style.name.length + style.attributes.length)
      ? { ...style, look, font, fill, border }
      : undefined;
  }

  relation({ type, target, isExternal }: Relationship, depth = 0): KeptRelation | undefined {
    if (macroRelations.test(type)) return undefined;
    if (isExternal) return { type, target };
    const part = this.part(target, depth);
    return part === undefined ? undefined : { type, part };
  }

  /**
   * Stores a part (a file inside the XLSX package) and all parts it refers to. Returns the key of the part, or
   * undefined if it is missing, nested too deeply or too large.
   */
  part(name: string, depth = 0): string | undefined {
    const entry = this.#archive.find(name);
    if (!entry || depth > maxPartDepth) return undefined;
    const known = this.#keys.get(entry.name);
    if (known !== undefined) return known;
    if (entry.size > maxPartBytes) {
      this.#warnings.add(`'${name}' takes more than ${maxPartBytes} bytes and was left out`);
      return undefined;
    }
    const bytes = this.#bytesOf(name);
    if (!bytes) return undefined;
    const data = deflateRawSync(bytes).toString('base64');
    if (!this.#reserve(data.length, `'${name}'`)) return undefined;
    const key = entry.name;
    this.#keys.set(entry.name, key);
    const own = readRelationships(this.#archive, name);
    const relations = [...own].flatMap(([id, one]) => {
      const kept = this.relation(one, depth + 1);
      return kept ? [[id, kept] as const] : [];
    });
    this.parts[key] = {
      path: entry.name,
      type: this.typeOf(name),
      data,
      ...(relations.length > 0 ? { relations } : {}),
    };
    return key;
  }

  /**
   * Returns the bytes of a part. If it is damaged, adds a warning and returns undefined, because no displayed content
   * depends on it.
   */
  #bytesOf(name: string): Uint8Array | undefined {
    try {
      return this.#archive.read(name);
    } catch (error) {
      if (!(error instanceof FormatError) || error.word === 'too_large') throw error;
      this.#warnings.add(`'${name.slice(0, 100)}' cannot be read and was left out`);
      return undefined;
    }
  }

  /** Stores generated content as a part at `path`. Returns the part's key, or undefined if the limit is reached. */
  addPart(path: string, type: string, text: string): string | undefined {
    const data = deflateRawSync(Buffer.from(text)).toString('base64');
    if (!this.#reserve(data.length, `'${path}'`)) return undefined;
    this.parts[path] = { path, type, data };
    return path;
  }

  /**
   * Stores the XML of a part, such as a chart, whose formulas must follow edits of the document. The formulas are
   * replaced by placeholders and added to `found`. Returns the index of the stored XML, or undefined if the part is
   * missing or the limit is reached.
   */
  textPart(name: string, found: CapturedReferences, options?: PrintOptions): number | undefined {
    const xml = partText(this.#archive, name);
    const root = xml === undefined ? undefined : parseXml(xml, name);
    if (!root) return undefined;
    const relations = readRelationships(this.#archive, name);
    const made = this.print(root, '', relations, found, options);
    const linked = this.#unreferenced(root, relations);
    return this.text({
      ...made,
      ...(linked.length > 0 ? { linked } : {}),
      path: this.#archive.find(name)?.name ?? name,
      type: this.typeOf(name),
    });
  }

  /** Stores those related parts of a part to which the part's XML does not refer, such as the styles of a chart. */
  #unreferenced(root: XmlElement, relations: ReadonlyMap<string, Relationship>): KeptRelation[] {
    const named = new Set<string>();
    for (const one of [root, ...descendantsOf(root)])
      for (const [name, value] of one.attributes) if (name.includes(':')) named.add(value);
    return [...relations].flatMap(([id, one]) => (named.has(id) ? [] : (this.relation(one) ?? [])));
  }

  /**
   * Stores the imported XML of a supported object, such as a table. Cells in `ref` attributes become offsets from
   * `origin`, and format indexes become placeholders. After the whole file has been read, `recordRead` adds a
   * fingerprint (hash) of the object.
   */
  source(
    element: XmlElement,
    origin: Point,
    formats: readonly string[],
    more: Partial<KeptText> = {},
  ): number | undefined {
    const offsets: Point[] = [];
    const pieces: string[] = [];
    const corner = (row: number, col: number): string =>
      placeholder('c', offsets.push([row - origin[0], col - origin[1]]) - 1);
    const made = this.print(element, more.path === undefined ? mainNamespace : '', new Map(), noReferences(), {
      attribute: (one, name, value) => {
        const rect = name === 'ref' ? parseRect(value) : undefined;
        if (rect) {
          const start = corner(rect.top, rect.left);
          return value.includes(':') ? `${start}:${corner(rect.bottom, rect.right)}` : start;
        }
        const format = /dxfId$/i.test(name) ? formats[Number(value)] : undefined;
        if (format !== undefined) return placeholder('d', pieces.push(format) - 1);
        if ((name === 'id' || name === 'cacheId') && one === element)
          return placeholder('d', pieces.push(`${ownNumber} ${value}`) - 1);
        return undefined;
      },
      text: (one) => (formulaTags.has(localNameOf(one.tag)) ? xmlEscape(textOf(one)) : undefined),
    });
    return this.text({ ...made, pieces, offsets, ...more });
  }

  /**
   * Stores the fingerprints (hashes) of an object and its parts with the XML from which they were read, so that the
   * export can tell whether the object has changed.
   */
  recordRead(text: number | undefined, read: string, reads?: readonly string[]): void {
    const kept = text === undefined ? undefined : this.texts[text];
    if (kept && text !== undefined) this.texts[text] = { ...kept, read, ...(reads ? { reads } : {}) };
  }

  /**
   * Returns the XML of an imported element. Replaces its formulas, regions and relationship ids by placeholders, adds
   * the formulas and regions to `found`, and stores the parts of the package to which the element refers.
   */
  print(
    element: XmlElement,
    home: string,
    relations: ReadonlyMap<string, Relationship>,
    found: CapturedReferences,
    { relationOf = (one) => this.relation(one), attribute, text }: PrintOptions = {},
  ): KeptText {
    const kept: KeptRelation[] = [];
    const formula = (text: string): string => placeholder('f', found.formulas.push(text) - 1);
    const xml = printXml(element, home, {
      attribute: (one, name, value) => {
        const own = attribute?.(one, name, value);
        if (own !== undefined) return own;
        const colon = name.indexOf(':');
        if (colon > 0 && one.scope.get(name.slice(0, colon)) === relationshipsNamespace) {
          const relation = relations.get(value);
          const made = relation && relationOf(relation);
          return made ? placeholder('r', kept.push(made) - 1) : null;
        }
        if (name === 'sqref' && one === element) {
          found.regions = regionsOf(value);
          return placeholder('q', 0);
        }
        if (name === 'val' && localNameOf(one.tag) === 'cfvo' && one.attributes.get('type') === 'formula')
          return formula(value);
        if (name === 'textlink' && value !== '') return formula(value);
        if (name === 'macro' && value !== '') return '';
        return undefined;
      },
      text: (one) => {
        const own = text?.(one);
        if (own !== undefined) return own;
        const local = localNameOf(one.tag);
        if (local === 'sqref' && found.regions === undefined && localNameOf(element.tag) !== 'sparklineGroup') {
          found.regions = regionsOf(textOf(one));
          return placeholder('q', 0);
        }
        const isFormula = formulaTags.has(local) || (local === 'sqref' && one.children.length > 0);
        if (!isFormula || one.children.some((child) => typeof child !== 'string')) return undefined;
        return textOf(one) === '' ? undefined : formula(textOf(one));
      },
    });
    return { xml, ...(kept.length > 0 ? { relations: kept } : {}) };
  }

  sheetElement(
    element: XmlElement,
    relations: ReadonlyMap<string, Relationship>,
    found: CapturedReferences,
    attribute?: PrintOptions['attribute'],
  ): KeptText {
    return this.print(element, mainNamespace, relations, found, attribute ? { attribute } : {});
  }
}

export function regionsOf(sqref: string): Region[] {
  return sqref
    .trim()
    .split(/\s+/)
    .flatMap((ref) => {
      const rect = parseRect(ref.replaceAll('$', ''));
      return rect ? [regionOf(rect)] : [];
    });
}
