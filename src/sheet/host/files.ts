import { fits, looksBinary } from '../../formats/charset.ts';
import { guessMultiByte } from '../../formats/charset-guess.ts';
import { FormatError } from '../../formats/format-error.ts';
import { fail } from '../../operation/errors.ts';
import { CsvError, type SheetDocument, snapshot } from '../engine/document.ts';
import { readCsvDocument, writeCsv } from '../reading/csv-file.ts';
import { newSheetId } from '../parts/sheet-id.ts';
import { readXlsx } from '../xlsx/read.ts';
import { writeXlsx } from '../xlsx/write.ts';
import type { FromXls } from '../xlsx/xls.ts';
import type { ExportRequest, ImportRequest, Imported } from './protocol.ts';
import { serialOf } from './time.ts';

/** Formulas of an imported file may compute for about twenty seconds; past it the file's own values are kept. */
const importBudget = 400_000_000;

export function imageKeys(document: SheetDocument): string[] {
  return [...new Set(document.subSheets.flatMap((sub) => sub.images.map((image) => image.blob)))];
}

export function exportDocument(document: SheetDocument, request: ExportRequest): Uint8Array {
  if (request.format === 'xlsx') return writeXlsx(document, { images: request.images, at: new Date(request.at) });
  const sub = request.sheet === undefined ? document.subSheets[0] : document.find(request.sheet);
  if (!sub)
    throw fail(
      'no_such_sheet',
      `sheet_id: there is no sub-sheet ${JSON.stringify(request.sheet ?? '')}; there are ${document.subSheets.map((one) => one.id).join(', ')}`,
    );
  return writeCsv(document, sub, request.safe);
}

export function importFile(request: ImportRequest, newId: (prefix: string) => string): Imported {
  try {
    const now = serialOf(request.at);
    const { document, images, warnings } =
      request.format === 'xlsx'
        ? readXlsx(request.bytes, { newId, newSheetId, owner: request.owner, now, budget: importBudget })
        : {
            ...readCsvDocument(csvText(request.bytes), newSheetId(), now, importBudget, request.typed),
            images: [],
          };
    return {
      snapshot: snapshot(document),
      images,
      warnings,
      sheets: document.subSheets.map(({ id, name }) => ({ id, name })),
    };
  } catch (error) {
    throw refusalOf(error);
  }
}

function refusalOf(error: unknown): unknown {
  if (error instanceof FormatError)
    return fail(
      error.word === 'too_large' || error.word === 'too_many_entries' ? 'limit_exceeded' : 'invalid_parameter',
      `content: ${error.message}`,
    );
  if (error instanceof CsvError) return fail('invalid_parameter', `content: ${error.message}`);
  if (error instanceof RangeError) return fail('limit_exceeded', `content: ${error.message}`);
  return error;
}

/** The old kind of workbook is read by a library that loads when it is first needed. */
export async function importXls(request: ImportRequest, newId: (prefix: string) => string): Promise<Imported> {
  let read: FromXls;
  try {
    const { readXls } = await import('../xlsx/xls.ts');
    read = await readXls(request.bytes);
  } catch (error) {
    throw refusalOf(error);
  }
  const made = importFile({ ...request, format: 'xlsx', bytes: read.bytes }, newId);
  return { ...made, warnings: [...read.warnings, ...made.warnings] };
}

const sampleBytes = 256 * 1024;

/** UTF-8, UTF-16 with its mark, or what the East Asian charsets make sense of; else the Western one. */
function csvText(bytes: Uint8Array): string {
  const charset =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : fits(bytes, 'utf-8')
          ? 'utf-8'
          : guessed(bytes.subarray(0, sampleBytes));
  const text = new TextDecoder(charset).decode(bytes);
  if (looksBinary(text)) throw fail('invalid_parameter', 'content: is not text; CSV was expected');
  return text;
}

function guessed(sample: Uint8Array): string {
  return guessMultiByte(sample, (label) => fits(sample, label)) ?? 'windows-1252';
}
