import { isValidIn, looksBinary } from '@sheaf/files/text/charset';
import { guessMultiByte } from '@sheaf/files/text/charset-guess';
import { FormatError } from '@sheaf/files/format-error';
import { fail } from '../../../kernel/errors.ts';
import { invalid, overLimit } from '../errors.ts';
import { asOf, CsvError, type SheetDocument, encodeSnapshot } from '@sheaf/engine/internal/document';
import { BudgetExceeded, StepBudget, within } from '@sheaf/engine';
import { readCsvDocument, writeCsv } from './csv-file.ts';
import { SheetNotVisible, PreviewTooLarge, buildWorkbookPreview } from '../reading/workbook-preview.ts';
import { newSheetId } from '../objects/sheet-id.ts';
import { readXlsx } from '@sheaf/files/xlsx/read-workbook';
import { writeXlsx } from '@sheaf/files/xlsx/write-workbook';
import type { ConvertedWorkbook } from '@sheaf/files/xls/convert-workbook';
import { createCallBudget } from './call-budget.ts';
import { isEngineInputError } from './engine-input-error.ts';
import type { ExportRequest, ImportRequest, ImportResult, ViewRequest } from './protocol.ts';
import { toSerialDate } from './serial-date.ts';

/**
 * Maximum steps for recalculating an imported file: about twenty seconds of work. If a file needs more steps, its
 * formulas are not recalculated, and the values that are stored in the file are kept.
 */
const importBudget = 400_000_000;

export function listImageKeys(document: SheetDocument): string[] {
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

type FileInput = Pick<ImportRequest, 'bytes' | 'format' | 'typed' | 'owner' | 'at'>;

function readFile(request: FileInput, newId: (prefix: string) => string): ReturnType<typeof readXlsx> {
  const now = toSerialDate(request.at);
  return asOf(now, () =>
    request.format === 'xlsx'
      ? readXlsx(request.bytes, { newId, newSheetId, owner: request.owner, now, budget: importBudget })
      : { ...readCsvDocument(decodeCsv(request.bytes), newSheetId(), now, importBudget, request.typed), images: [] },
  );
}

export function importFile(request: ImportRequest, newId: (prefix: string) => string): ImportResult {
  try {
    const { document, images, warnings } = readFile(request, newId);
    return {
      snapshot: encodeSnapshot(document),
      images,
      warnings,
      sheets: document.subSheets.map(({ id, name }) => ({ id, name })),
    };
  } catch (error) {
    throw toFileFailure(error, 'content');
  }
}

/** Renders a preview of a file as JSON. Nothing is stored. */
export function previewFile(request: ViewRequest, newId: (prefix: string) => string): Uint8Array {
  try {
    const { document, images } = readFile({ ...request, typed: false }, newId);
    const calculation = { now: toSerialDate(request.at), seed: 0 };
    const view = within(new StepBudget(createCallBudget('quick')), () =>
      buildWorkbookPreview(document, images, request.wishes, calculation),
    );
    return new TextEncoder().encode(view);
  } catch (error) {
    throw toFileFailure(error, 'media_id');
  }
}

function toFileFailure(error: unknown, field: string): unknown {
  if (error instanceof FormatError)
    return fail(
      error.word === 'too_large' || error.word === 'too_many_entries' ? 'limit_exceeded' : 'invalid_parameter',
      `${field}: ${error.message}`,
    );
  if (error instanceof NotTextError || error instanceof CsvError) return invalid(`${field}: ${error.message}`);
  if (error instanceof SheetNotVisible) return invalid(`${error.field ?? field}: ${error.message}`);
  if (error instanceof BudgetExceeded || error instanceof PreviewTooLarge || isEngineInputError(error))
    return overLimit(`${field}: ${error.message}`);
  return error;
}

/** Returns whether a file must be converted to xlsx before it is read. */
export function needsConversion(format: ImportRequest['format']): boolean {
  return format !== 'xlsx' && format !== 'csv';
}

export async function importConverted(
  request: ImportRequest,
  newId: (prefix: string) => string,
): Promise<ImportResult> {
  const read = await convertFile(request.bytes, 'content');
  const made = importFile({ ...request, format: 'xlsx', bytes: read.bytes }, newId);
  return { ...made, warnings: [...read.warnings, ...made.warnings] };
}

export async function previewConverted(request: ViewRequest, newId: (prefix: string) => string): Promise<Uint8Array> {
  const { bytes } = await convertFile(request.bytes, 'media_id');
  return previewFile({ ...request, format: 'xlsx', bytes }, newId);
}

/** Converts an .xls, .xlsb or .ods workbook to xlsx. The converter is loaded when it is first used. */
async function convertFile(bytes: Uint8Array, field: string): Promise<ConvertedWorkbook> {
  try {
    const { convertToXlsx } = await import('@sheaf/files/xls/convert-workbook');
    return await convertToXlsx(bytes);
  } catch (error) {
    throw toFileFailure(error, field);
  }
}

class NotTextError extends Error {}

const sampleBytes = 256 * 1024;

/**
 * Decodes CSV as UTF-16 if it has a byte order mark of UTF-16, otherwise as UTF-8 if its bytes are valid UTF-8.
 * Otherwise guesses an East Asian charset, and uses windows-1252 if none fits. Throws if the result does not look like
 * text.
 */
function decodeCsv(bytes: Uint8Array): string {
  const charset =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : isValidIn(bytes, 'utf-8')
          ? 'utf-8'
          : guessCharset(bytes.subarray(0, sampleBytes));
  const text = new TextDecoder(charset).decode(bytes);
  if (looksBinary(text)) throw new NotTextError('is not text; CSV was expected');
  return text;
}

function guessCharset(sample: Uint8Array): string {
  return guessMultiByte(sample, (label) => isValidIn(sample, label)) ?? 'windows-1252';
}
