import { textOf } from '../../base/coerce.ts';
import {
  CellError,
  cellErrors,
  isGrid,
  Lambda,
  RefUnion,
  type Grid,
  type Scalar,
  type Value,
} from '../../base/values.ts';
import { maxText } from '../../base/operators.ts';
import type { CallContext } from '../call-context.ts';
import { define, type Definition } from '../define.ts';
import { toCount } from './substrings.ts';

/**
 * Visits the cells of an argument row by row. With `blanks`, blank cells are visited, too, but at most `maxCells` cells
 * of each area, to bound the time for whole columns.
 */
function eachItem(
  call: CallContext,
  value: Value,
  blanks: boolean,
  visit: (item: Scalar) => void,
  maxCells = maxText + 2,
): void {
  if (value instanceof Lambda) throw cellErrors.calc;
  const areas: readonly Grid[] = isGrid(value) ? [value] : value instanceof RefUnion ? value.areas : [];
  for (const area of areas) {
    if (!blanks) {
      area.eachFilled((item) => visit(item));
      continue;
    }
    const cells = Math.min(area.rows * area.cols, maxCells);
    call.budget.spend(cells);
    for (let i = 0; i < cells; i++) visit(area.at(Math.floor(i / area.cols), i % area.cols));
  }
  if (areas.length === 0) visit(value as Scalar);
}

class TextBuilder {
  #text = '';
  add(piece: string): void {
    this.#text += piece;
    if (this.#text.length > maxText) throw cellErrors.value;
  }
  toString(): string {
    return this.#text;
  }
}

export const joiningFunctions: readonly Definition[] = [
  define('REPT', 'text number', (call, text, count) => {
    const times = toCount(count, 0);
    if (text === '') return '';
    if (text.length * times > maxText) return cellErrors.value;
    call.budget.spend((text.length * times) >> 4);
    return text.repeat(times);
  }),
  define('CONCATENATE', 'text...', (_call, ...parts) => {
    const out = new TextBuilder();
    for (const part of parts) out.add(part);
    return out.toString();
  }),
  define('CONCAT', 'value...', (call, ...values) => {
    const out = new TextBuilder();
    for (const value of values) eachItem(call, value, false, (item) => out.add(textOf(item)));
    return out.toString();
  }),
  define('TEXTJOIN', 'value value value...', (call, delimiter, ignore, ...values) => {
    const signs: string[] = [];
    eachItem(call, delimiter, true, (item) => signs.push(textOf(item)));
    // Blank cells matter only if a delimiter that is not empty is added between them. Each cycle through the delimiters
    // then adds at least one character to the result. After `maxCells` cells the result is too long (#VALUE!), so later
    // cells need not be visited.
    const hasDelimiter = signs.some((sign) => sign !== '');
    const maxCells = (maxText + 2) * signs.length;
    return liftIgnore(call, ignore, (ignoreEmpty) => {
      const out = new TextBuilder();
      let joined = 0;
      const add = (item: Scalar): void => {
        const text = textOf(item);
        if (ignoreEmpty && text === '') return;
        if (joined > 0) out.add(signs[(joined - 1) % signs.length] ?? '');
        joined++;
        out.add(text);
      };
      for (const value of values) eachItem(call, value, !ignoreEmpty && hasDelimiter, add, maxCells);
      return out.toString();
    });
  }),
];
function liftIgnore(call: CallContext, ignore: Value, join: (ignoreEmpty: boolean) => string): Value {
  return call.broadcast([ignore], (flag) => {
    if (flag instanceof CellError) return flag;
    // A flag left empty means TRUE: TEXTJOIN(",",,A1:A3) skips blanks.
    if (flag === null) return join(true);
    if (typeof flag === 'boolean') return join(flag);
    if (typeof flag === 'number') return join(flag !== 0);
    const upper = flag.toUpperCase();
    if (upper !== 'TRUE' && upper !== 'FALSE') return cellErrors.value;
    return join(upper === 'TRUE');
  });
}
