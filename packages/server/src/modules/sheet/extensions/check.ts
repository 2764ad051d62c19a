import { z } from 'zod';
import { fail } from '../../../kernel/errors.ts';
import { flag, integer, list, text } from '../../../kernel/field-schemas.ts';
import { evaluateAssertions as hold, usedRanges, maxAssertionLength, maxAssertions } from '../calls/assertions.ts';
import { formatSheetPrefix, clipToUsedRange, type SheetRange } from '../calls/address.ts';
import { resolveAreas } from '../calls/areas.ts';
import { readTool } from '../calls/tool.ts';
import type { SheetDocument } from '@sheaf/engine/internal/document';
import { CellError } from '@sheaf/engine';
import { ErrorList } from '../reading/explain-error.ts';
import { addressField, defaultSheetField } from '../schema.ts';

const maxErrors = 50;

export const check = readTool({
  name: 'check',
  summary:
    'Checks what must hold, and lists error cells and their causes. An assertion is a formula that must ' +
    'be TRUE, or: no errors [in RANGE]; no blanks in RANGE; unique RANGE; RANGE matches REGEX; RANGE balances ' +
    'RANGE.\nExample: {"assertions":["B12 = SUM(B2:B11)","unique Orders!A2:A99"]}',
  input: {
    assertions: list('What must hold.', text('A formula or rule.', { min: 1, max: maxAssertionLength }), {
      max: maxAssertions,
    }).optional(),
    range: addressField('Where to look for errors. Default: everywhere.').optional(),
    ...defaultSheetField,
  },
  output: {
    ok: flag('Whether all assertions hold; without any, whether there are no errors.'),
    failed: z.record(z.string(), z.string()).meta({ description: 'Assertions that do not hold, and why.' }),
    errors: z.record(z.string(), z.string()).meta({ description: 'Error cells: address, error and cause.' }),
    error_count: integer('Number of error cells.'),
  },
  read(document, input, call) {
    const assertions = input.assertions ?? [];
    const sheet = input.sheet_id;
    if (sheet !== undefined && !document.find(sheet) && !document.byName(sheet))
      throw fail('no_such_sheet', `sheet_id: there is no sub-sheet ${JSON.stringify(sheet)}`);
    const verdicts = hold({ document, sheet, calculation: call.calculation }, assertions);
    const failed = Object.fromEntries(verdicts.filter(({ ok }) => !ok).map(({ assertion, why }) => [assertion, why!]));
    const places =
      input.range === undefined
        ? usedRanges(document, document.subSheets)
        : resolveAreas(document, input.range, { sheet });
    const { errors, count } = errorsIn(document, places);
    return {
      ok: assertions.length > 0 ? Object.keys(failed).length === 0 : count === 0,
      failed,
      errors,
      error_count: count,
    };
  },
});

function errorsIn(document: SheetDocument, places: readonly SheetRange[]): ErrorList {
  const list = new ErrorList(document, maxErrors);
  for (const place of places) {
    const rect = clipToUsedRange(document, place);
    const { sub } = place;
    if (!rect) continue;
    sub.sheet.eachFilled(rect.top, rect.left, rect.bottom, rect.right, (value, r, c) => {
      if (value instanceof CellError) list.add(sub, rect.top + r, rect.left + c, formatSheetPrefix(sub));
    });
  }
  return list;
}
