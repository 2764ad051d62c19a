import { functionNamed } from '../functions/index.ts';
import { bracketEnd } from './bracket-end.ts';
import { wordEnd } from './characters.ts';
import { emptyCorner, readCorner } from './reference-corner.ts';
import { readAfterSheet, readReference } from './lex-reference.ts';
import { bindTable, noTables } from './table-reference.ts';
import type { LexerState } from './lexer-state.ts';

/**
 * Prefixes that XLSX files put before the names of newer functions, as in `_xlfn.XLOOKUP`. A prefix without a name
 * after it is an ordinary name.
 */
const storedPrefixes = /^(?:_xlfn\.|_xlws\.|_xludf\.|_xll\.)+(?=.)/i;
/** Functions that the formula compiler itself implements and that the list of built-in functions does not contain. */
export const compilerFunctions: ReadonlySet<string> = new Set([
  'ANCHORARRAY',
  'SINGLE',
  'IF',
  'LET',
  'LAMBDA',
  'ISOMITTED',
]);
const localPrefix = /^_xl(?:pm|op)\.(?=.)/i;
const optionalPrefix = /^_xlop\../i;

/**
 * Reads a word: a reference (which may start with `$`), function, TRUE, FALSE, table or defined name, or a sheet name
 * and the reference after it.
 */
export function readWord(scan: LexerState, code: number): void {
  const { text, at: start } = scan;
  if (readReference(scan, start, start, undefined, undefined)) return;
  if (code === 36) scan.fail("'$' must stand before a column or a row", start);
  const end = wordEnd(text, start);
  const next = text.charCodeAt(end);
  if (next === 40) {
    scan.token('function', unprefixed(text.slice(start, end).toUpperCase(), true), start);
    scan.at = end;
  } else if (next === 33) readAfterSheet(scan, end + 1, start, text.slice(start, end));
  else if (next !== 58 || !readSheetSpan(scan, start, end)) readName(scan, start, end);
}

/** Reads a 3D reference `First:Last!A1`, whose colon is at `colon`. Returns false if the text is something else. */
function readSheetSpan(scan: LexerState, start: number, colon: number): boolean {
  const { text } = scan;
  const end = wordEnd(text, colon + 1);
  if (end === colon + 1 || text.charCodeAt(end) !== 33) return false;
  readAfterSheet(scan, end + 1, start, text.slice(start, colon), text.slice(colon + 1, end));
  return true;
}

function readName(scan: LexerState, start: number, end: number): void {
  const { text } = scan;
  const name = text.slice(start, end);
  const upper = name.toUpperCase();
  scan.at = end;
  if (upper === 'TRUE' || upper === 'FALSE') {
    scan.token('logical', upper, start);
    return;
  }
  const { tables } = scan.names;
  if (text.charCodeAt(end) === 91) {
    const stop = bracketEnd(scan, end);
    scan.at = stop;
    const written = text.slice(start, stop);
    scan.table(bindTable(name, text.slice(end + 1, stop - 1), written, tables ?? noTables), start);
    return;
  }
  if (tables?.tableNamed(name)) {
    scan.table(bindTable(name, '', name, tables), start);
    return;
  }
  // Next to a colon, the name keeps its prefix (such as `_xlpm.`), because without the prefix the name could be parsed
  // as a column.
  const spans = text.charCodeAt(end) === 58 || text.charCodeAt(start - 1) === 58;
  const plain = spans ? name : unprefixed(name, false);
  if (optionalPrefix.test(name)) scan.token('bracket', `[${plain}]`, start);
  else scan.token('name', plain, start);
}

const bare = emptyCorner();

function unprefixed(name: string, called: boolean): string {
  if (name.charCodeAt(0) !== 95) return name;
  const plain = name.replace(storedPrefixes, '').replace(localPrefix, '');
  // Keep the prefix (such as `_xlfn.`) of a name that would be parsed as a number, a boolean or a cell reference
  // without it.
  const other =
    /^[\d.]/.test(plain) ||
    (!called && (/^(?:true|false)$/i.test(plain) || (readCorner(plain, 0, bare) && bare.row >= 0)));
  // An unknown function keeps its prefix, such as `_xlfn.`, because programs that know the function expect the prefix.
  const isStrange = called && storedPrefixes.test(name) && !functionNamed(plain) && !compilerFunctions.has(plain);
  if (isStrange) return name.slice(0, -plain.length).toLowerCase() + plain;
  return other ? name : plain;
}
