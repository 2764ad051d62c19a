import { columnName, needsQuotes } from '../../base/address.ts';
import { usualColumnWidth } from '../../base/grid-size.ts';
import { isDatePattern } from '../../base/number-format.ts';
import { cellErrors, Matrix, RangeRef, type Reference, type Value } from '../../base/values.ts';
import type { CallContext, SheetInfo } from '../call-context.ts';

/**
 * The cell that the function CELL describes. The functions in this file return no information about the machine that
 * they run on or its files.
 */
interface CellLocation {
  readonly sheet: SheetInfo;
  readonly row: number;
  readonly col: number;
}

export function cellInfo(call: CallContext, fact: string, ref: Reference | undefined): Value {
  const range = ref instanceof RangeRef ? ref : ref?.areas[0];
  const at: CellLocation = range
    ? { sheet: range.sheet, row: range.top, col: range.left }
    : { sheet: call.sheet, row: call.row, col: call.col };
  switch (fact.toLowerCase()) {
    case 'address':
      return addressOf(call, at);
    case 'col':
      return at.col + 1;
    case 'row':
      return at.row + 1;
    case 'contents':
      return range ? range.at(0, 0) : 0;
    case 'type': {
      const value = range ? range.at(0, 0) : null;
      return value === null ? 'b' : typeof value === 'string' ? 'l' : 'v';
    }
    case 'format':
      return formatCode(call.formatAt(at.sheet, at.row, at.col));
    case 'color':
      return /\[(black|blue|cyan|green|magenta|red|white|yellow|color ?\d+)\]/i.test(
        call.formatAt(at.sheet, at.row, at.col).split(';')[1] ?? '',
      )
        ? 1
        : 0;
    case 'parentheses':
      return (call.formatAt(at.sheet, at.row, at.col).split(';')[0] ?? '').includes('(') ? 1 : 0;
    case 'prefix':
      return range && typeof range.at(0, 0) === 'string' ? "'" : '';
    case 'protect':
      return 1;
    case 'width': {
      const width = call.columnWidth(at.sheet, at.col);
      // The second value is TRUE if the column has the default width.
      return new Matrix(1, 2, [Math.round(width), width === usualColumnWidth]);
    }
    case 'filename':
      // Workbooks have no file path, so the brackets that would contain the file name are empty.
      return `[]${at.sheet.name}`;
    default:
      return cellErrors.value;
  }
}

function addressOf(call: CallContext, at: CellLocation): string {
  const cell = `$${columnName(at.col)}$${at.row + 1}`;
  if (at.sheet.id === call.sheet.id) return cell;
  const name = at.sheet.name;
  return `${needsQuotes(name) ? `'${name.replaceAll("'", "''")}'` : name}!${cell}`;
}

const dateCodes: readonly (readonly [RegExp, string])[] = [
  [/^d{1,2}[-/ ]mmm[-/ ]yy(yy)?$/, 'D1'],
  [/^d{1,2}[-/ ]mmm$/, 'D2'],
  [/^mmm[-/ ]yy(yy)?$/, 'D3'],
  [/^(m{1,2}\/d{1,2}\/yy(yy)?( h:mm)?|yyyy-mm-dd)$/, 'D4'],
  [/^mm\/dd$/, 'D5'],
  [/^h{1,2}:mm:ss am\/pm$/, 'D6'],
  [/^h{1,2}:mm am\/pm$/, 'D7'],
  [/^h{1,2}:mm:ss$/, 'D8'],
  [/^h{1,2}:mm$/, 'D9'],
];

/**
 * Returns the code that CELL("format") reports for a number format, such as G for General, F2 or ,0 for numbers with 2
 * or 0 decimals, C2 for currency, P0 for percent, S2 for scientific and D1 for dates. A `-` is appended if negative
 * numbers are colored.
 */
function formatCode(pattern: string): string {
  const [positive = '', negative] = pattern.split(';');
  const bare = positive.replace(/"[^"]*"|\\.|_.|\*./g, '').replace(/\[\$?([^\]-]*)[^\]]*\]/g, '$1');
  if (/^general$/i.test(bare) || bare === '') return 'G';
  const suffix =
    (negative !== undefined && /\[[a-z]/i.test(negative) ? '-' : '') + (positive.includes('(') ? '()' : '');
  if (isDatePattern(pattern)) {
    const code = dateCodes.find(([shape]) => shape.test(bare.trim().toLowerCase()));
    return (code?.[1] ?? 'G') + suffix;
  }
  const decimals = /[.]([0#?]*)/.exec(bare)?.[1]?.length ?? 0;
  if (/e[+-]/i.test(bare)) return `S${decimals}${suffix}`;
  if (bare.includes('%')) return `P${decimals}${suffix}`;
  if (bare.includes('/')) return 'G';
  if (/[$€£¥￥]/.test(positive)) return `C${decimals}${suffix}`;
  if (!/[0#?]/.test(bare)) return 'G';
  return (/[0#?],[0#?]/.test(bare) ? ',' : 'F') + decimals + suffix;
}

export function environmentInfo(call: CallContext, fact: string): Value {
  switch (fact.toLowerCase()) {
    case 'numfile':
      return call.sheets().length;
    case 'origin':
      return '$A:$A$1';
    case 'recalc':
      return 'Automatic';
    case 'release':
      return '16.0';
    case 'system':
      return 'pcdos';
    case 'osversion':
    case 'directory':
    case 'memavail':
    case 'memused':
    case 'totmem':
      return cellErrors.na;
    default:
      return cellErrors.value;
  }
}
