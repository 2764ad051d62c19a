import { fits, looksBinary } from '@sheaf/files/text/charset';
import { guessMultiByte } from '@sheaf/files/text/charset-guess';
import { FormatError } from '@sheaf/files/format-error';
import { fail } from '../../operation/errors.ts';
import { asOf, CsvError, type SheetDocument, snapshot } from '@sheaf/engine/internal/document';
import { BudgetExceeded, StepBudget, within } from '@sheaf/engine';
import { readCsvDocument, writeCsv } from '../reading/csv-file.ts';
import { NotShown, TooMuchToShow, workbookView } from '../reading/workbook-view.ts';
import { newSheetId } from '../parts/sheet-id.ts';
import { readXlsx } from '@sheaf/files/xlsx/read';
import { writeXlsx } from '@sheaf/files/xlsx/write';
import type { FromXls } from '@sheaf/files/xlsx/xls';
import { callAllowance } from './allowance.ts';
import { isMisuse } from './misuse.ts';
import type { ExportRequest, ImportRequest, Imported, ViewRequest } from './protocol.ts';
import { serialOf } from './time.ts';

/** Calculation budget of an imported file, about twenty seconds; above it the file's stored values are used. */
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

type ReadFile = Pick<ImportRequest, 'bytes' | 'format' | 'typed' | 'owner' | 'at'>;

function readFile(request: ReadFile, newId: (prefix: string) => string): ReturnType<typeof readXlsx> {
  const now = serialOf(request.at);
  return asOf(now, () =>
    request.format === 'xlsx'
      ? readXlsx(request.bytes, { newId, newSheetId, owner: request.owner, now, budget: importBudget })
      : { ...readCsvDocument(csvText(request.bytes), newSheetId(), now, importBudget, request.typed), images: [] },
  );
}

export function importFile(request: ImportRequest, newId: (prefix: string) => string): Imported {
  try {
    const { document, images, warnings } = readFile(request, newId);
    return {
      snapshot: snapshot(document),
      images,
      warnings,
      sheets: document.subSheets.map(({ id, name }) => ({ id, name })),
    };
  } catch (error) {
    throw refusalOf(error, 'content');
  }
}

/** Renders a preview of a file; nothing is stored. */
export function viewFile(request: ViewRequest, newId: (prefix: string) => string): Uint8Array {
  try {
    const { document, images } = readFile({ ...request, typed: false }, newId);
    const calculation = { now: serialOf(request.at), seed: 0 };
    const view = within(new StepBudget(callAllowance('quick')), () =>
      workbookView(document, images, request.wishes, calculation),
    );
    return new TextEncoder().encode(view);
  } catch (error) {
    throw refusalOf(error, 'media_id');
  }
}

function refusalOf(error: unknown, field: string): unknown {
  if (error instanceof FormatError)
    return fail(
      error.word === 'too_large' || error.word === 'too_many_entries' ? 'limit_exceeded' : 'invalid_parameter',
      `${field}: ${error.message}`,
    );
  if (error instanceof NotText || error instanceof CsvError)
    return fail('invalid_parameter', `${field}: ${error.message}`);
  if (error instanceof NotShown) return fail('invalid_parameter', `${error.field ?? field}: ${error.message}`);
  if (error instanceof BudgetExceeded || error instanceof TooMuchToShow || isMisuse(error))
    return fail('limit_exceeded', `${field}: ${error.message}`);
  return error;
}

export async function importXls(request: ImportRequest, newId: (prefix: string) => string): Promise<Imported> {
  const read = await fromXls(request.bytes, 'content');
  const made = importFile({ ...request, format: 'xlsx', bytes: read.bytes }, newId);
  return { ...made, warnings: [...read.warnings, ...made.warnings] };
}

export async function viewXls(request: ViewRequest, newId: (prefix: string) => string): Promise<Uint8Array> {
  const { bytes } = await fromXls(request.bytes, 'media_id');
  return viewFile({ ...request, format: 'xlsx', bytes }, newId);
}

/** Reads a legacy .xls workbook; the library is loaded on first use. */
async function fromXls(bytes: Uint8Array, field: string): Promise<FromXls> {
  try {
    const { readXls } = await import('@sheaf/files/xlsx/xls');
    return await readXls(bytes);
  } catch (error) {
    throw refusalOf(error, field);
  }
}

class NotText extends Error {}

const sampleBytes = 256 * 1024;

/** Decodes CSV: UTF-8, UTF-16 with a BOM, a fitting East Asian charset, or else the Western one. */
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
  if (looksBinary(text)) throw new NotText('is not text; CSV was expected');
  return text;
}

function guessed(sample: Uint8Array): string {
  return guessMultiByte(sample, (label) => fits(sample, label)) ?? 'windows-1252';
}
