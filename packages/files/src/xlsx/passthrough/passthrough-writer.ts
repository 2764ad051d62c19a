import { inflateRawSync } from 'node:zlib';
import {
  type PassthroughElement,
  type KeptBook,
  type KeptPart,
  type KeptRelation,
  type KeptText,
  type Point,
  rectOf,
  type SubSheet,
} from '@sheaf/engine/internal/document';
import { cellName, rectName } from '@sheaf/engine';
import { RelationshipsWriter } from '../relationships-writer.ts';
import type { StyleWriter } from '../write-styles.ts';
import { xmlDeclaration, xmlEscape } from '../xml-escape.ts';
import type { ZipWriter } from '../../zip/writer.ts';
import { claimName } from '../unique-name.ts';
import { decodeXml } from '../../xml/sax.ts';
import { fillPlaceholders, ownNumber } from './placeholders.ts';
import { parseXml, type XmlElement } from '../xml-tree.ts';

/** Folders in which the export generates part names. A part stored from the imported file could have the same name. */
const generatedFolders =
  /^xl\/(?:worksheets|chartsheets|drawings|charts|tables|pivotTables|pivotCache|media|comments|threadedComments|persons)\//i;

export interface PartSink {
  readonly zip: ZipWriter;
  readonly contents: { add(part: string, type: string): void };
}

/** Writes the parts of the imported file that a document has stored unchanged. */
export class PassthroughWriter {
  readonly #book: KeptBook | undefined;
  readonly #sink: PartSink;
  readonly #styles: StyleWriter;
  readonly #written = new Map<string, string>();
  readonly #taken = new Set<string>();
  readonly #queue: (() => void)[] = [];

  constructor(book: KeptBook | undefined, sink: PartSink, styles: StyleWriter) {
    this.#book = book;
    this.#sink = sink;
    this.#styles = styles;
  }

  get styles(): StyleWriter {
    return this.#styles;
  }

  text({ text }: PassthroughElement): KeptText | undefined {
    return this.textAt(text);
  }

  textAt(place: number): KeptText | undefined {
    return this.#book?.texts[place];
  }

  /** Returns the stored XML of those imported elements of a sub-sheet that have the given kind, in order. */
  of(sub: SubSheet, kind: string, relations: RelationshipsWriter): string[] {
    return sub.carried.filter((one) => one.kind === kind).map((one) => this.fill(one, relations));
  }

  /**
   * Returns the stored XML of an imported element with its placeholders filled. Some placeholders stand for an entry of
   * another list, by default a differential format; `placeOf` returns the index of such an entry in the exported file.
   */
  fill(
    one: PassthroughElement,
    relations: RelationshipsWriter,
    placeOf = (piece: string): string => String(this.#styles.format(piece)),
  ): string {
    const text = this.text(one);
    if (!text) return '';
    for (const linked of text.linked ?? []) this.relate(linked, relations);
    return this.#filled(text, one, relations, placeOf);
  }

  #filled(
    text: KeptText,
    one: PassthroughElement,
    relations: RelationshipsWriter,
    placeOf: (piece: string) => string,
  ): string {
    return fillPlaceholders(text.xml, (kind, index) => {
      switch (kind) {
        case 'q':
          return (one.regions ?? []).map((region) => rectName(rectOf(region))).join(' ');
        case 'f':
          return xmlEscape(one.formulas?.[index] ?? '');
        case 'x':
          return String(one.points?.[index]?.[1] ?? 0);
        case 'y':
          return String(one.points?.[index]?.[0] ?? 0);
        case 'c':
          return cellName(...(one.points?.[index] ?? [0, 0]));
        case 'd': {
          const piece = text.pieces?.[index];
          return piece === undefined ? '' : placeOf(piece);
        }
        default: {
          const relation = text.relations?.[index];
          return (relation && this.relate(relation, relations, one)) ?? '';
        }
      }
    });
  }

  /**
   * Returns the imported XML of an object if `now`, its current fingerprint, equals that at the import; otherwise
   * undefined. `origin` is the object's first cell. `id` replaces an imported number that must be unique in the
   * exported file, such as a table id.
   */
  unchanged(
    source: number | undefined,
    now: () => string,
    origin: Point,
    relations: RelationshipsWriter,
    id = 0,
  ): string | undefined {
    const text = source === undefined ? undefined : this.textAt(source);
    if (!text || text.read === undefined || text.read !== now()) return undefined;
    return this.#words(source!, text, origin, relations, id);
  }

  /**
   * Returns the imported XML of an object that changed since the import, with the fingerprints (hashes) that its parts
   * had at the import. Returns undefined if they are not stored.
   */
  changed(
    source: number | undefined,
    origin: Point,
    relations: RelationshipsWriter,
    id = 0,
  ): { readonly element: XmlElement; readonly reads: readonly string[] } | undefined {
    const text = source === undefined ? undefined : this.textAt(source);
    if (!text?.reads) return undefined;
    const element = parseXml(this.#words(source!, text, origin, relations, id), 'an object of the file');
    return element && { element, reads: text.reads };
  }

  #words(source: number, text: KeptText, origin: Point, relations: RelationshipsWriter, id: number): string {
    const points = text.offsets?.map(([row, col]): Point => [row + origin[0], col + origin[1]]) ?? [];
    const place = (piece: string): string =>
      piece.startsWith(ownNumber) ? String(id) : String(this.#styles.format(piece));
    const filled = this.#filled(text, { kind: '', text: source, points }, relations, place);
    for (const one of text.linked ?? []) this.relate(one, relations);
    return filled;
  }

  /**
   * Adds a relationship of the imported file to `relations` and queues the target part for writing. Returns the
   * relationship's id, or undefined if the part is missing.
   */
  relate(
    { type, part, text, target }: KeptRelation,
    relations: RelationshipsWriter,
    one?: PassthroughElement,
  ): string | undefined {
    if (target !== undefined) return relations.addTyped(type, target, true);
    const path = part === undefined ? (text === undefined ? undefined : this.#textPart(text, one)) : this.part(part);
    return path === undefined ? undefined : relations.addTyped(type, `/${path}`, false);
  }

  /**
   * Queues a part of the imported file, and all parts it refers to, for writing. Returns the part's name, or undefined
   * if the part was not stored.
   */
  part(key: string): string | undefined {
    const known = this.#written.get(key);
    if (known !== undefined) return known;
    const kept = this.#book?.parts[key];
    if (!kept) return undefined;
    const path = this.unusedPath(kept.path);
    this.#written.set(key, path);
    this.#queuePart(path, kept, () => inflateRawSync(Buffer.from(kept.data, 'base64')));
    return path;
  }

  /**
   * Changes the text of a part of the imported file, queues it for writing, and adds a relationship to it. Returns the
   * relationship's id, or undefined if the part was not stored or `change` returns nothing.
   */
  relateChanged(
    { type, part }: KeptRelation,
    relations: RelationshipsWriter,
    change: (text: string) => string | undefined,
  ): string | undefined {
    const kept = this.#book?.parts[part ?? ''];
    if (!kept) return undefined;
    const text = change(decodeXml(inflateRawSync(Buffer.from(kept.data, 'base64'))));
    if (text === undefined) return undefined;
    const path = this.unusedPath(kept.path);
    const written = Buffer.from(text.replace(/^(<\?xml[^>]{0,200}\bencoding=["'])[\w-]+/, '$1UTF-8'));
    this.#queuePart(path, kept, () => written);
    return relations.addTyped(type, `/${path}`, false);
  }

  /** Writes the queued parts. They are queued because the ZIP writer writes one part at a time. */
  flush(): void {
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) next();
  }

  #queuePart(path: string, kept: KeptPart, bytes: () => Uint8Array): void {
    this.#queue.push(() => {
      this.#sink.zip.addBytes(path, bytes());
      this.#sink.contents.add(path, kept.type);
      const own = new RelationshipsWriter();
      for (const [id, relation] of kept.relations ?? []) {
        const target = relation.target ?? this.#absolute(relation);
        if (target !== undefined) own.addWithId(id, relation.type, target, relation.target !== undefined);
      }
      this.relationsOf(path, own);
    });
  }

  #absolute({ part }: KeptRelation): string | undefined {
    const path = part === undefined ? undefined : this.part(part);
    return path === undefined ? undefined : `/${path}`;
  }

  /**
   * Queues the stored XML of an imported element for writing as a separate part. Returns the part's name, or undefined
   * if no XML is stored.
   */
  partOf(one: PassthroughElement): string | undefined {
    return this.#textPart(one.text, one);
  }

  /**
   * Queues a stored part for writing, with its placeholders filled with the current formulas of `one`. Returns the
   * part's name, or undefined if there is no such part.
   */
  #textPart(place: number, one: PassthroughElement | undefined): string | undefined {
    const text = this.#book?.texts[place];
    if (!text || text.path === undefined || !one) return undefined;
    const path = this.unusedPath(text.path);
    this.#queue.push(() => {
      const relations = new RelationshipsWriter();
      for (const linked of text.linked ?? []) this.relate(linked, relations);
      this.#sink.zip.add(path, xmlDeclaration + this.#filled(text, one, relations, (piece) => piece));
      this.#sink.contents.add(path, text.type ?? 'application/xml');
      this.relationsOf(path, relations);
    });
    return path;
  }

  relationsOf(path: string, relations: RelationshipsWriter): void {
    if (relations.isEmpty) return;
    const slash = path.lastIndexOf('/') + 1;
    this.#sink.zip.add(`${path.slice(0, slash)}_rels/${path.slice(slash)}.rels`, relations.xml());
  }

  /**
   * Returns an unused part name. In folders where the export generates names, the name gets the prefix `kept-`, so that
   * it cannot equal a generated one.
   */
  unusedPath(path: string): string {
    const slash = path.lastIndexOf('/') + 1;
    const own =
      generatedFolders.test(path) && !path.slice(slash).startsWith('kept-')
        ? `${path.slice(0, slash)}kept-${path.slice(slash)}`
        : path;
    return claimName(this.#taken, (number) => (number === 1 ? own : own.replace(/(\.\w+)?$/, `-${number}$1`)));
  }
}
