import { deflateRawSync } from 'node:zlib';
import type { ZipArchive } from '../../zip/reader.ts';
import {
  type KeptLook,
  type KeptPart,
  type KeptRelation,
  type KeptText,
  type Region,
  regionOf,
  type StylePatch,
} from '@sheaf/engine/internal/document';
import { parseRect } from '@sheaf/engine';
import { FormatError } from '../../format-error.ts';
import { eachElement, partText, readRelationships, type Relationship } from '../../containers/package-parts.ts';
import { mainNamespace, relationshipsNamespace } from '../xml-escape.ts';
import { placeholder } from './placeholders.ts';
import type { LookWords } from './style-passthrough.ts';
import { localNameOf, parseXml, printXml, textOf, type XmlElement } from '../xml-tree.ts';

/** Maximum total size of the passthrough content that a document stores; parts count with their compressed size. */
const maxPassthroughBytes = 8 * 2 ** 20;
const maxPartBytes = 64 * 2 ** 20;
const maxTexts = 20_000;
const maxPartDepth = 8;

const formulaTags = new Set(['formula', 'formula1', 'formula2', 'f']);
/** Relationship types of macros, which are never stored. */
const macroRelations = /vbaProject|xlMacrosheet|attachedToolbars/i;

/** Formulas and regions that were replaced by placeholders in captured XML. */
export interface CapturedReferences {
  readonly formulas: string[];
  regions: Region[] | undefined;
}

export interface PrintOptions {
  /** Captures the target of a relationship; by default the whole part. */
  readonly relationOf?: (relation: Relationship) => KeptRelation | undefined;
  /** Returns the replacement of an attribute; undefined selects the default handling. */
  readonly attribute?: (element: XmlElement, name: string, value: string) => string | undefined;
  readonly text?: (element: XmlElement) => string | undefined;
}

/** Collects the content of a file that a document stores unchanged and writes back on export (passthrough). */
export class PassthroughReader {
  readonly texts: KeptText[] = [];
  readonly parts: Record<string, KeptPart> = {};
  readonly words: string[] = [];
  readonly looks: KeptLook[] = [];
  readonly #wordNumbers = new Map<string, number>();
  readonly #lookNumbers = new Map<string, number>();
  readonly #archive: ZipArchive;
  readonly #warnings: Set<string>;
  readonly #types = new Map<string, string>();
  readonly #keys = new Map<string, string>();
  #bytes = 0;
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

  /** Charges bytes to the passthrough limit. Returns false, with a warning, if the limit is reached. */
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

  /** Returns the next free table number. */
  tableNumber(): number {
    return ++this.#tables;
  }

  /** Returns the wanted table name, with a numeric suffix if it is taken, and reserves it. */
  tableName(wanted: string): string {
    for (let number = 1; ; number++) {
      const name = number === 1 ? wanted : `${wanted}_${number}`;
      if (this.#tableNames.has(name.toUpperCase())) continue;
      this.#tableNames.add(name.toUpperCase());
      return name;
    }
  }

  /** Stores a passthrough text and returns its index; undefined if the limit is reached. */
  text(text: KeptText): number | undefined {
    const size = text.xml.length + (text.pieces?.reduce((sum, one) => sum + one.length, 0) ?? 0);
    return this.#reserve(size, `'${/^<([\w:]+)/.exec(text.xml)?.[1] ?? 'a part'}'`)
      ? this.texts.push(text) - 1
      : undefined;
  }

  /** Stores a piece of XML once. Returns its number, counted from 1; 0 if the limit is reached. */
  word(text: string): number {
    const known = this.#wordNumbers.get(text);
    if (known !== undefined) return known;
    const number = this.#reserve(text.length, 'the formatting in words of the file') ? this.words.push(text) : 0;
    this.#wordNumbers.set(text, number);
    return number;
  }

  /** Stores a cell format once, with the style that was read from it. Returns its number, as `word` does. */
  look({ font, fill, border, ...rest }: LookWords, style: StylePatch): number {
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
    const isComplete = look.font > 0 && look.fill > 0 && look.border > 0 && this.#reserve(text.length, 'formatting');
    const number = isComplete ? this.looks.push(look) : 0;
    this.#lookNumbers.set(text, number);
    return number;
  }

  relation({ type, target, isExternal }: Relationship, depth = 0): KeptRelation | undefined {
    if (macroRelations.test(type)) return undefined;
    if (isExternal) return { type, target };
    const part = this.part(target, depth);
    return part === undefined ? undefined : { type, part };
  }

  /**
   * Stores a part and all parts it refers to. Returns its key; undefined if it is missing, nested too deeply or too
   * large.
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

  /** Returns the bytes of a part; undefined, with a warning, if it is damaged. Nothing shown depends on these parts. */
  #bytesOf(name: string): Uint8Array | undefined {
    try {
      return this.#archive.read(name);
    } catch (error) {
      if (!(error instanceof FormatError) || error.word === 'too_large') throw error;
      this.#warnings.add(`'${name.slice(0, 100)}' cannot be read and was left out`);
      return undefined;
    }
  }

  /** Stores generated content as a part named `path`. Returns the part's key; undefined if the limit is reached. */
  addPart(path: string, type: string, text: string): string | undefined {
    const data = deflateRawSync(Buffer.from(text)).toString('base64');
    if (!this.#reserve(data.length, `'${path}'`)) return undefined;
    this.parts[path] = { path, type, data };
    return path;
  }

  /**
   * Stores a part, such as a chart, whose formulas must follow changes of the document; they are added to `found`.
   * Returns the text's index; undefined if the part is missing or the limit is reached.
   */
  textPart(name: string, found: CapturedReferences, options?: PrintOptions): number | undefined {
    const xml = partText(this.#archive, name);
    const root = xml === undefined ? undefined : parseXml(xml, name);
    if (!root) return undefined;
    const made = this.print(root, '', readRelationships(this.#archive, name), found, options);
    return this.text({ ...made, path: this.#archive.find(name)?.name ?? name, type: this.typeOf(name) });
  }

  /**
   * Prints an element with placeholders for formulas, regions and relationship ids, and stores the parts it refers to.
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
