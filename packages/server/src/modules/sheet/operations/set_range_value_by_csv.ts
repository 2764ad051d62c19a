import { invalid, overLimit } from '../errors.ts';
import { text } from '../../../kernel/field-schemas.ts';
import { maxFormulaLength, maxTextLength } from '../cells/cell-input.ts';
import { CsvError, csvCell, parseCsv } from '@sheaf/engine/internal/document';
import { setRangeBlock } from '@sheaf/engine/internal/mutations';
import { maxCols, maxRows } from '@sheaf/engine';
import { validationField, colField, rowField } from '../schema.ts';
import { worksheetWriteTool } from '../calls/tool.ts';

export const set_range_value_by_csv = worksheetWriteTool({
  name: 'set_range_value_by_csv',
  summary:
    'Writes a CSV table, the quickest way to fill a region. Numbers, true/false and =formulas are ' +
    'recognized; empty fields leave cells unchanged.\nExample: ' +
    '{"start_row":0,"start_col":0,"csv_data":"item,price\\npen,1.5\\ntotal,=SUM(B2:B2)"}',
  idempotent: true,
  input: {
    start_row: rowField('Row of the first record. Default: 0.').optional(),
    start_col: colField('Column of the first field. Default: 0.').optional(),
    csv_data: text('CSV; quotes are doubled inside quotes.', {
      min: 1,
    }),
    ...validationField,
  },
  plan(document, sub, input) {
    const records = readCsv(input.csv_data);
    const top = input.start_row ?? 0;
    const left = input.start_col ?? 0;
    const width = records.reduce((most, record) => Math.max(most, record.length), 0);
    if (top + records.length > maxRows)
      throw overLimit(`csv_data: ${records.length} records starting at row ${top} exceed ${maxRows} rows`);
    if (left + width > maxCols)
      throw overLimit(`csv_data: ${width} fields starting at column ${left} exceed ${maxCols} columns`);
    if (records.every((record) => record.every((field) => field === ''))) return { mutations: [] };
    refuseLong(records);
    return {
      mutations: [
        setRangeBlock.of({
          sheet: sub.id,
          row: top,
          col: left,
          rows: records.map((record) => record.map(csvCell)),
        }),
      ],
    };
  },
});

/** Throws if a CSV field exceeds the maximum length of a cell's text or formula. */
function refuseLong(records: readonly (readonly string[])[]): void {
  for (const [r, record] of records.entries()) {
    for (const [f, field] of record.entries()) {
      if (field.length <= maxFormulaLength) continue;
      const most = field.startsWith('=') ? maxFormulaLength : maxTextLength;
      if (field.length > most)
        throw invalid(
          `csv_data: field ${f + 1} of record ${r + 1} must be at most ${most} characters (got ${field.length})`,
        );
    }
  }
}

function readCsv(data: string): string[][] {
  try {
    return parseCsv(data);
  } catch (error) {
    if (error instanceof CsvError) throw invalid(`csv_data: ${error.message}`);
    throw error;
  }
}
