import { z } from 'zod';
import { list } from '../../operation/fields.ts';
import { parseBySchema } from '../../operation/parse.ts';
import {
  cellValue,
  contentsOf,
  packed,
  plainCells,
  unpacked,
  type CellValue,
  type PackedContents,
} from '../cells/cell-values.ts';
import { setValues } from '../engine/mutations.ts';
import { worksheetOf } from '../calls/lookup.ts';
import { ScannedCells, scanCells } from '../cells/scanned-cells.ts';
import { changesField, enforceField, done, fileFields, sheetField } from '../schema.ts';
import { writeTool } from '../calls/tool.ts';

const maxCells = 200_000;
/** Bytes of a body from which reading it straight pays. */
const worthScanning = 4096;
const around = z.object({ ...fileFields, ...sheetField, ...enforceField, ...changesField });
const input = around.extend({
  values: list('The cells. If a cell is given twice, the last value applies.', cellValue, { min: 1, max: maxCells }),
});

export const set_range_value = writeTool({
  name: 'set_range_value',
  maxValues: 2_000_000,
  summary:
    'Writes many cells anywhere in a sub-sheet in one call, which is one revision. For a table use ' +
    'set_range_value_by_csv; for one cell use set_cell_value.\nExample: ' +
    '{"values":[{"row":0,"col":0,"value_type":"STRING","string_value":"Total"},{"row":0,"col":1,' +
    '"value_type":"FORMULA","formula":"=SUM(B2:B9)"}]}',
  idempotent: true,
  input,
  readBody: (bytes) => (bytes.length < worthScanning ? undefined : scanCells(bytes, maxCells)),
  parse(raw) {
    // Only `pack` looks at the cells after this, and it knows both forms.
    if (raw['values'] instanceof ScannedCells) return { ...parseBySchema(around, raw), values: raw['values'] } as never;
    const values =
      Array.isArray(raw['values']) && raw['values'].length <= maxCells ? plainCells(raw['values']) : undefined;
    return values ? { ...parseBySchema(around, raw), values } : parseBySchema(input, raw);
  },
  output: done,
  pack: ({ values, ...rest }) => ({ ...rest, contents: contentsOfAny(values) }),
  plan(document, { sheet_id, contents }) {
    worksheetOf(document, sheet_id);
    return { mutations: [setValues.of({ sheet: sheet_id, ...unpacked(contents) })] };
  },
});

function contentsOfAny(values: readonly CellValue[] | ScannedCells): PackedContents {
  return values instanceof ScannedCells ? values.contents : packed(contentsOf(values, (index) => `values[${index}].`));
}
