import type { SheetDocument } from '@sheaf/engine/internal/document';
import type { PersonList } from './comment-threads.ts';
import type { PassthroughWriter } from './passthrough/passthrough-writer.ts';
import type { SharedStringsWriter } from './shared-strings-writer.ts';
import type { StyleWriter } from './write-styles.ts';
import { xmlDeclaration } from './xml-escape.ts';
import type { ZipWriter } from '../zip/writer.ts';

export const officeTypes = 'application/vnd.openxmlformats-officedocument';
export const imageExtensions: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/gif': 'gif',
  'image/webp': 'webp',
};
/** Collects the content types of all parts for [Content_Types].xml. */
export class ContentTypes {
  readonly #parts: string[] = [];

  add(part: string, type: string): void {
    this.#parts.push(`<Override PartName="/${part}" ContentType="${type}"/>`);
  }

  xml(): string {
    const images = Object.entries(imageExtensions).map(
      ([mime, extension]) => `<Default Extension="${extension}" ContentType="${mime}"/>`,
    );
    return (
      `${xmlDeclaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      '<Default Extension="xml" ContentType="application/xml"/>' +
      `${images.join('')}${this.#parts.join('')}</Types>`
    );
  }
}

/** State shared by the writers of all parts during an export. The counters number the parts of the whole file. */
export interface ExportContext {
  readonly document: SheetDocument;
  readonly zip: ZipWriter;
  readonly contents: ContentTypes;
  readonly styles: StyleWriter;
  readonly texts: SharedStringsWriter;
  readonly images: ReadonlyMap<string, Uint8Array>;
  readonly stored: Map<string, string>;
  readonly kept: PassthroughWriter;
  readonly people: PersonList;
  /** Names of the tables written so far, in upper case, to keep them unique. */
  readonly tableNames: Set<string>;
  /** Number of the cell metadata entry (attribute `cm`) that marks a formula as a dynamic array. */
  readonly dynamicMark: number;
  keptPivots: number;
  charts: number;
  drawings: number;
  tables: number;
  /** The written pivot caches (copies of the source data of pivot tables) with their relationship ids. */
  readonly pivots: { readonly relation: string; readonly cacheId: number }[];
}
