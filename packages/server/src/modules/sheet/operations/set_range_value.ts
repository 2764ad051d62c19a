import { z } from 'zod';
import { list } from '../../../kernel/field-schemas.ts';
import { parseBySchema } from '../../../kernel/parse-input.ts';
import { runWithoutYielding, runYielding } from '../../../lib/event-loop.ts';
import { cellValue, groupIntoRunsSteps, acceptValidCellsSteps, type CellValue } from '../cells/cell-input.ts';
import { packContentsSteps, unpackContents, type PackedContents } from '../cells/packed-contents.ts';
import { setValues } from '@sheaf/engine/internal/mutations';
import { requireWorksheet } from '../calls/sheet-lookup.ts';
import { ScannedCells, scanRequestCellsSteps } from '../cells/request-cell-scanner.ts';
import { writeOptionFields, validationField, fileFields, sheetField } from '../schema.ts';
import { writeTool, type WriteValues } from '../calls/tool.ts';

const maxCells = 200_000;
/** Minimum body size in bytes from which the bytes are scanned directly, without the JSON parser. */
const minScannedBytes = 4096;
/** Maximum size in bytes of a request body that is scanned without yielding to the event loop. */
const maxBytesAtOnce = 2 ** 20;
const maxCellsAtOnce = 10_000;
const sharedFields = { ...sheetField, ...validationField, ...writeOptionFields };
const input = {
  ...sharedFields,
  values: list('If a cell is given twice, the last value applies.', cellValue, { min: 1, max: maxCells }),
};
const otherFields = z.object({ ...fileFields, ...sharedFields });

export const set_range_value = writeTool({
  name: 'set_range_value',
  maxValues: 2_000_000,
  summary:
    'Writes many cells anywhere in a sub-sheet as one revision. For a table use ' +
    'set_range_value_by_csv.\nExample: ' +
    '{"values":[{"row":0,"col":0,"value_type":"STRING","string_value":"Total"},{"row":0,"col":1,"value_type":"FORMULA","formula":"=SUM(B2:B9)"}]}',
  idempotent: true,
  input,
  readBody(bytes) {
    if (bytes.length < minScannedBytes) return undefined;
    const steps = scanRequestCellsSteps(bytes, maxCells);
    return bytes.length <= maxBytesAtOnce ? runWithoutYielding(steps) : runYielding(steps);
  },
  parse(raw, schema) {
    const { values } = raw;
    // `values` is a `ScannedCells` object, contrary to its declared type, if the cells were read from the bytes of the
    // request body. They were validated then, so check only the other fields. `pack` accepts both forms.
    if (values instanceof ScannedCells) return { ...parseBySchema(otherFields, raw), values } as never;
    if (!Array.isArray(values) || values.length > maxCells) return parseBySchema(schema, raw);
    const steps = parseSteps(raw, schema);
    return values.length <= maxCellsAtOnce ? runWithoutYielding(steps) : runYielding(steps);
  },
  pack({ values, ...rest }) {
    if (!Array.isArray(values)) return { ...rest, contents: (values as ScannedCells).contents };
    const steps = packSteps(values);
    if (values.length <= maxCellsAtOnce) return { ...rest, contents: runWithoutYielding(steps) };
    return runYielding(steps).then((contents) => ({ ...rest, contents }));
  },
  plan(document, { sheet_id, contents }) {
    requireWorksheet(document, sheet_id);
    return { mutations: [setValues.of({ sheet: sheet_id, ...unpackContents(contents) })] };
  },
});

function* parseSteps(
  raw: Record<string, unknown>,
  schema: z.ZodType<WriteValues<typeof input>>,
): Generator<void, WriteValues<typeof input>> {
  const values = yield* acceptValidCellsSteps(raw['values']);
  return values ? { ...parseBySchema(otherFields, raw), values } : parseBySchema(schema, raw);
}

function* packSteps(values: readonly CellValue[]): Generator<void, PackedContents> {
  return yield* packContentsSteps(yield* groupIntoRunsSteps(values, (index) => `values[${index}].`));
}
