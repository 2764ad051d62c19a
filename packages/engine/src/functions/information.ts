import { parseNumber } from '../base/parse-number.ts';
import {
  CellError,
  cellErrors,
  Lambda,
  Matrix,
  RangeRef,
  RefUnion,
  isReference,
  type Scalar,
  type Value,
} from '../base/values.ts';
import type { CallContext } from './call-context.ts';
import { define, type Definition } from './define.ts';
import { cellInfo, environmentInfo } from './information/cell-info.ts';
import { disabledFunctions } from './information/disabled-functions.ts';
import { mapCells } from './array-arguments.ts';

function typeOf(value: Value): number {
  if (value instanceof Lambda) return 128;
  if (value instanceof RefUnion) return 16;
  if (value instanceof Matrix) return 64;
  if (value instanceof RangeRef) return value.isCell ? typeOf(value.at(0, 0)) : 64;
  if (typeof value === 'string') return 2;
  if (typeof value === 'boolean') return 4;
  return value instanceof CellError ? 16 : 1;
}

function parity(value: Exclude<Scalar, CellError>): number {
  const number = typeof value === 'string' ? parseNumber(value) : value === null ? 0 : value;
  if (typeof number !== 'number') throw cellErrors.value;
  return Math.abs(Math.trunc(number)) % 2;
}

function numberIn(item: Scalar): Scalar {
  if (typeof item === 'number' || item instanceof CellError) return item;
  return item === true ? 1 : 0;
}

function sheetNumber(call: CallContext, value: Value | undefined): Value {
  const sheets = call.sheets();
  const at = (id: number): Value => {
    const index = sheets.findIndex((sheet) => sheet.id === id);
    return index < 0 ? cellErrors.na : index + 1;
  };
  if (value === undefined) return at(call.sheet.id);
  if (value instanceof RangeRef) return at(value.sheet.id);
  if (value instanceof RefUnion) return at(value.areas[0]?.sheet.id ?? -1);
  if (value instanceof CellError) return value;
  if (typeof value !== 'string') return cellErrors.na;
  const index = sheets.findIndex((sheet) => sheet.name.toLowerCase() === value.toLowerCase());
  return index < 0 ? cellErrors.na : index + 1;
}

export const informationFunctions: readonly Definition[] = [
  define('NA', '', () => cellErrors.na),
  define('ISBLANK', 'any', (_call, value) => value === null),
  define('ISERR', 'any', (_call, value) => value instanceof CellError && value !== cellErrors.na),
  define('ISERROR', 'any', (_call, value) => value instanceof CellError),
  define('ISNA', 'any', (_call, value) => value === cellErrors.na),
  define('ISLOGICAL', 'any', (_call, value) => typeof value === 'boolean'),
  define('ISNUMBER', 'any', (_call, value) => typeof value === 'number'),
  define('ISTEXT', 'any', (_call, value) => typeof value === 'string'),
  define('ISNONTEXT', 'any', (_call, value) => typeof value !== 'string'),
  define('ISEVEN', 'scalar', (_call, value) => parity(value) === 0),
  define('ISODD', 'scalar', (_call, value) => parity(value) === 1),
  define('ISREF', 'value', (_call, value) => isReference(value), { unread: [0] }),
  define(
    'ISFORMULA',
    'ref',
    (call, ref) => mapCells(call, ref, (range, row, col) => call.formulaAt(range.sheet, row, col) !== undefined),
    { unread: [0] },
  ),
  define('ERROR.TYPE', 'any', (_call, value) => (value instanceof CellError ? value.code : cellErrors.na)),
  define('TYPE', 'value', (_call, value) => typeOf(value)),
  // The function N uses the first cell of a range, but each element of an array.
  define('N', 'value', (call, value) => call.broadcast([value instanceof RangeRef ? value.at(0, 0) : value], numberIn)),
  define('SHEET', 'value?', (call, value) => sheetNumber(call, value), { unread: [0] }),
  define(
    'SHEETS',
    'ref?',
    (call, ref) => {
      if (ref === undefined) return call.sheets().length;
      const areas = ref instanceof RefUnion ? ref.areas : [ref];
      return new Set(areas.map((area) => area.sheet.id)).size;
    },
    { unread: [0] },
  ),
  define('CELL', 'text ref?', (call, fact, ref) => cellInfo(call, fact, ref), { volatile: true }),
  define('INFO', 'text', (call, fact) => environmentInfo(call, fact), { volatile: true }),
  ...disabledFunctions,
];
