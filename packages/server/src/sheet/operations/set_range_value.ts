import { z } from 'zod';
import { list } from '../../operation/fields.ts';
import { parseBySchema } from '../../operation/parse.ts';
import { atOnce, inTurns } from '../../lib/in-turns.ts';
import { cellValue, contentSteps, plainCellSteps, type CellValue } from '../cells/cell-values.ts';
import { packed, unpacked, type PackedContents } from '../cells/packed-contents.ts';
import { setValues } from '@sheaf/engine/internal/mutations';
import { worksheetOf } from '../calls/lookup.ts';
import { ScannedCells, scanSteps } from '../cells/scanned-cells.ts';
import { changesField, enforceField, done, fileFields, sheetField } from '../schema.ts';
import { writeTool } from '../calls/tool.ts';

const maxCells = 200_000;
/** Minimum body size for the direct scan of the bytes. */
const worthScanning = 4096;
/** Up to this size the work need not yield to the event loop. */
const shortBody = 2 ** 20;
const fewCells = 10_000;
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
  readBody(bytes) {
    if (bytes.length < worthScanning) return undefined;
    const steps = scanSteps(bytes, maxCells);
    return bytes.length <= shortBody ? atOnce(steps) : inTurns(steps);
  },
  parse(raw) {
    const { values } = raw;
    // Only `pack` reads the cells afterwards, and it accepts both forms.
    if (values instanceof ScannedCells) return { ...parseBySchema(around, raw), values } as never;
    if (!Array.isArray(values) || values.length > maxCells) return parseBySchema(input, raw);
    const steps = parseSteps(raw);
    return values.length <= fewCells ? atOnce(steps) : inTurns(steps);
  },
  output: done,
  pack({ values, ...rest }) {
    if (!Array.isArray(values)) return { ...rest, contents: (values as ScannedCells).contents };
    const steps = packSteps(values);
    if (values.length <= fewCells) return { ...rest, contents: atOnce(steps) };
    return inTurns(steps).then((contents) => ({ ...rest, contents }));
  },
  plan(document, { sheet_id, contents }) {
    worksheetOf(document, sheet_id);
    return { mutations: [setValues.of({ sheet: sheet_id, ...unpacked(contents) })] };
  },
});

function* parseSteps(raw: Record<string, unknown>): Generator<void, z.output<typeof input>> {
  const values = yield* plainCellSteps(raw['values']);
  return values ? { ...parseBySchema(around, raw), values } : parseBySchema(input, raw);
}

function* packSteps(values: readonly CellValue[]): Generator<void, PackedContents> {
  return yield* packed(yield* contentSteps(values, (index) => `values[${index}].`));
}
