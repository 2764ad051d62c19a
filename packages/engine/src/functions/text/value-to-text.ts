import { generalText } from '../../base/general-format.ts';
import { CellError, cellErrors, type Scalar } from '../../base/values.ts';
import { define, type Definition } from '../define.ts';
import { maxText } from '../../base/operators.ts';
import { checkTextLength } from './text-length-limit.ts';

/** Matches an unpaired surrogate. It has no UTF-8 encoding, so ENCODEURL gives #VALUE! for it. */
const loneSurrogate = /\p{Surrogate}/u;

function strictOf(format: number | undefined): boolean {
  const mode = format === undefined ? 0 : Math.trunc(format);
  if (mode !== 0 && mode !== 1) throw cellErrors.value;
  return mode === 1;
}

function valueToText(value: Scalar, strict: boolean): string {
  if (value === null) return '';
  if (typeof value === 'number') return generalText(value);
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (value instanceof CellError) return value.text;
  return strict ? `"${value.replaceAll('"', '""')}"` : value;
}

export const valueToTextFunctions: readonly Definition[] = [
  define('VALUETOTEXT', 'any number?', (_call, value, format) => checkTextLength(valueToText(value, strictOf(format)))),
  define('ARRAYTOTEXT', 'array number?', (call, grid, format) => {
    const strict = strictOf(format);
    // Every cell adds a separator to the result, so more cells than the maximum text length cannot fit into a text.
    if (grid.rows * grid.cols > maxText) return cellErrors.value;
    call.budget.spend(grid.rows * grid.cols);
    const rows: string[] = [];
    for (let r = 0; r < grid.rows; r++) {
      const cells: string[] = [];
      for (let c = 0; c < grid.cols; c++) cells.push(valueToText(grid.at(r, c), strict));
      rows.push(cells.join(strict ? ',' : ', '));
    }
    return checkTextLength(strict ? `{${rows.join(';')}}` : rows.join(', '));
  }),
  define('ENCODEURL', 'text', (_call, text) => {
    if (loneSurrogate.test(text)) return cellErrors.value;
    return checkTextLength(
      encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`),
    );
  }),
];
