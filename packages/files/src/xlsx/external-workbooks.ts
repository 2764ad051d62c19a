import type { ZipArchive } from '../zip/reader.ts';
import type { OtherBook, OtherSheet } from '@sheaf/engine/internal/document';
import { parseCell } from '@sheaf/engine';
import { claimName } from './unique-name.ts';
import { eachElement, isTrue, partText, readRelationships, type Relationship } from '../containers/package-parts.ts';

/**
 * Maximum number of cells of external workbooks whose values are kept in a document. Sheets beyond the limit are
 * dropped.
 */
const maxCells = 100_000;

type Cell = NonNullable<OtherSheet['cells']>[number];

/**
 * Reads the external workbooks, with the cell values that the file stores for them, in the order of their numbers in
 * formulas. `ids` are relationship ids.
 */
export function readExternalWorkbooks(
  archive: ZipArchive,
  relations: ReadonlyMap<string, Relationship>,
  ids: readonly string[],
): OtherBook[] {
  const taken = new Set<string>();
  let room = maxCells;
  return ids.map((id, index) => {
    const part = relations.get(id)?.target ?? '';
    const path = [...readRelationships(archive, part).values()].find((one) => one.kind.startsWith('externalLinkPath'));
    const wanted = path ? fileName(path.target) : `Workbook ${index + 1}`;
    const name = claimName(taken, (number) => (number === 1 ? wanted : `${wanted} (${number})`));
    const sheets = sheetsOf(archive, part, room);
    for (const { cells } of sheets) room -= cells?.length ?? 0;
    return { name, sheets };
  });
}

function sheetsOf(archive: ZipArchive, part: string, room: number): OtherSheet[] {
  const xml = partText(archive, part);
  if (xml === undefined) return [];
  const names: string[] = [];
  const found = new Map<number, Cell[]>();
  let count = 0;
  let open: Cell[] | undefined;
  let cell: { row: number; col: number; type: string } | undefined;
  eachElement(xml, part, {
    open({ name, attributes }) {
      if (name === 'sheetName') names.push(attributes.get('val') ?? '');
      else if (name === 'sheetData') {
        open = [];
        if (!isTrue(attributes.get('refreshError'))) found.set(Number(attributes.get('sheetId')), open);
      } else if (name === 'cell') {
        const place = parseCell(attributes.get('r') ?? '');
        cell = place && { ...place, type: attributes.get('t') ?? 'n' };
      }
    },
    close(name, text) {
      if (name !== 'v' || !cell || !open || ++count > room) return;
      const value = valueOf(cell.type, text);
      if (value !== undefined) open.push([cell.row, cell.col, value]);
    },
  });
  return names.map((name, index) => {
    const cells = count > room ? undefined : found.get(index);
    return { name, ...(cells ? { cells } : {}) };
  });
}

function valueOf(type: string, text: string): Cell[2] | undefined {
  if (type === 'b') return isTrue(text);
  if (type === 'e') return { error: text };
  if (type === 'str' || type === 's') return text;
  const value = Number(text);
  return text !== '' && Number.isFinite(value) ? value : undefined;
}

function fileName(target: string): string {
  const name = target.slice(Math.max(target.lastIndexOf('/'), target.lastIndexOf('\\')) + 1);
  let plain = name;
  try {
    plain = decodeURIComponent(name);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
  }
  return plain.replaceAll(/[[\]!:\p{Cc}]/gu, '_').slice(0, 100) || 'Workbook';
}

const quotedSheet = String.raw`'\[(\d+)\]((?:[^'[\]:]|'')+)'`;
const bareSheet = String.raw`\[(\d+)\]([\p{L}_][\p{L}\p{N}_.]*)`;
const cells = String.raw`\$?[A-Za-z]{1,3}\$?\d|\$?[A-Za-z]{1,3}:\$?[A-Za-z]{1,3}(?![\p{L}\p{N}])|\$?\d+:\$?\d|#REF!`;
/**
 * Matches a quoted text (to be skipped), or the external prefix of a cell or range, such as `[1]Sheet1!` or `'[1]My
 * sheet'!`.
 */
const pieces = new RegExp(`"(?:[^"]|"")*"|(?:${quotedSheet}|${bareSheet})!(?=${cells})`, 'gu');

/**
 * Replaces the numbers of external workbooks in a formula by their names: `[1]Sheet1!A1` becomes
 * `'[Book.xlsx]Sheet1'!A1`. References to sheets without cell values in the file stay unchanged.
 */
export function resolveBookNumbers(formula: string, books: readonly OtherBook[]): string {
  return formula.replace(pieces, (piece, quoted: string | undefined, sheet, bare: string | undefined, word) => {
    const book = books[Number(quoted ?? bare) - 1];
    const wanted = String(sheet ?? word ?? '').replaceAll("''", "'");
    const known = book?.sheets.find(({ name, cells }) => cells && name.toUpperCase() === wanted.toUpperCase());
    return known ? `'${`[${book!.name}]${known.name}`.replaceAll("'", "''")}'!` : piece;
  });
}

/** Returns the names of the external workbooks used in a formula. */
export function externalBooksIn(formula: string, books: readonly OtherBook[]): string[] {
  return books.filter(({ name }) => formula.includes(`[${name}]`)).map(({ name }) => name);
}

/** Converts `[Book.xlsx]Sheet1` to the file's syntax `[1]Sheet1`. Returns undefined if the workbook is unknown. */
export function toNumberedBook(key: string, books: readonly OtherBook[]): string | undefined {
  const [, name, sheet] = /^\[([^\]]*)\](.*)$/s.exec(key) ?? [];
  const index = books.findIndex((one) => one.name.toUpperCase() === name?.toUpperCase());
  return index < 0 ? undefined : `[${index + 1}]${sheet}`;
}
