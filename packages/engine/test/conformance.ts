import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { parseCell } from '../src/base/address.ts';
import { FormulaSyntaxError } from '../src/formula/token.ts';
import { functionNamed } from '../src/functions/index.ts';
import type { IndexedSheet } from '../src/store/indexed-sheet.ts';
import { CellError, cellErrors, errorOfText, type Scalar } from '../src/base/values.ts';
import { WorkbookCore } from '../src/workbook/workbook-core.ts';

/** Runs case files made from other projects' workbooks: one formula each, its precedents frozen to cached values. */

type CellInput = number | string | boolean | null | { e: string } | { f: string; v: number | string | boolean | null };

interface Case {
  readonly id: string;
  readonly source: string;
  readonly sheet: string;
  readonly cell: string;
  readonly formula: string;
  readonly fn: string;
  readonly expected: { readonly type: string; readonly value: number | string | boolean | null };
  readonly cells: Record<string, Record<string, CellInput>>;
  readonly names?: Record<string, string>;
  readonly array?: readonly [number, number];
}

type Outcome = number | string | boolean | null;

function put(workbook: WorkbookCore, sheet: IndexedSheet, address: string, input: CellInput): void {
  const at = parseCell(address);
  if (!at) throw new Error(`${address} is no cell`);
  if (input === null || typeof input !== 'object') {
    workbook.setValue(sheet, at.row, at.col, input);
  } else if ('e' in input) {
    workbook.setValue(sheet, at.row, at.col, errorOfText(input.e) ?? cellErrors.unknown);
  } else {
    // The formula is wanted for its text: its value is the cached one.
    const cached: Scalar = typeof input.v === 'string' ? (errorOfText(input.v) ?? input.v) : input.v;
    workbook.setValue(sheet, at.row, at.col, cached);
    try {
      workbook.setFormula(sheet, at.row, at.col, input.f, false);
    } catch (error) {
      if (!(error instanceof FormulaSyntaxError)) throw error;
    }
  }
}

function evaluate(one: Case): Outcome {
  const workbook = new WorkbookCore();
  const own = workbook.addSheet(one.sheet);
  for (const name of Object.keys(one.cells)) if (!workbook.sheetByName(name)) workbook.addSheet(name);
  // Sub-sheets that only the formula or a name mentions exist too, empty.
  const mentioned = [one.formula, ...Object.values(one.names ?? {})].join(' ');
  for (const match of mentioned.matchAll(/'((?:[^']|'')+)'!|([A-Za-z_][\w.]*)!/g)) {
    const name = match[1]?.replaceAll("''", "'") ?? match[2];
    if (name && !workbook.sheetByName(name) && !name.includes(':') && !name.includes('[') && name !== '#REF')
      workbook.addSheet(name);
  }
  for (const [name, cells] of Object.entries(one.cells)) {
    const sheet = workbook.sheetByName(name);
    if (sheet) for (const [address, input] of Object.entries(cells)) put(workbook, sheet, address, input);
  }
  for (const [name, definition] of Object.entries(one.names ?? {})) workbook.defineName(name, definition);
  const at = parseCell(one.cell);
  if (!at) throw new Error(`${one.cell} is no cell`);
  workbook.setFormula(own, at.row, at.col, one.formula, one.array !== undefined);
  const value = workbook.preview(own, at.row, at.col, { now: 45_000.5 });
  return value instanceof CellError ? value.text : value;
}

function agrees(one: Case, got: Outcome): boolean {
  const { type, value } = one.expected;
  if (type === 'empty' || value === '') return got === null || got === '' || (type === 'empty' && got === 0);
  if (type === 'number') {
    if (typeof got !== 'number' || typeof value !== 'number') return false;
    return Math.abs(got - value) <= 1e-7 * Math.abs(value) + 1e-9;
  }
  return got === value && (type !== 'error' || typeof got === 'string');
}

interface Tally {
  passed: number;
  failed: number;
}

function table(title: string, tallies: Map<string, Tally>): void {
  console.log(`\n${title.padEnd(24)} passed  failed   share`);
  for (const [key, { passed, failed }] of [...tallies].toSorted(
    (a, b) => b[1].failed - a[1].failed || (a[0] < b[0] ? -1 : 1),
  )) {
    const share = ((100 * passed) / (passed + failed)).toFixed(1);
    console.log(
      `${key.padEnd(24)} ${String(passed).padStart(6)}  ${String(failed).padStart(6)}  ${share.padStart(5)} %`,
    );
  }
}

function count(tallies: Map<string, Tally>, key: string, passed: boolean): void {
  const tally = tallies.get(key) ?? { passed: 0, failed: 0 };
  if (passed) tally.passed++;
  else tally.failed++;
  tallies.set(key, tally);
}

function plainName(fn: string): string {
  return fn.replace(/^(?:_XLFN\.|_XLWS\.)+/i, '');
}

export async function main(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      fn: { type: 'string' },
      family: { type: 'string' },
      source: { type: 'string' },
      failures: { type: 'string' },
    },
  });
  if (positionals.length === 0) {
    console.error('usage: conformance FILE.jsonl ... [--fn NAME] [--family NAME] [--source NAME] [--failures N]');
    return 2;
  }
  const bySource = new Map<string, Tally>();
  const byFunction = new Map<string, Tally>();
  let listed = Number(values.failures ?? 0);
  let passed = 0;
  let failed = 0;
  for (const file of positionals) {
    for (const line of (await readFile(file, 'utf8')).split('\n')) {
      if (line.trim() === '') continue;
      const one = JSON.parse(line) as Case;
      const name = plainName(one.fn);
      if (values.fn && name.toUpperCase() !== values.fn.toUpperCase()) continue;
      if (values.source && one.source !== values.source) continue;
      if (values.family && (functionNamed(name)?.family ?? 'operator') !== values.family) continue;
      let got: Outcome;
      try {
        got = evaluate(one);
      } catch (error) {
        got = `(threw ${error instanceof Error ? error.message : String(error)})`;
      }
      const ok = agrees(one, got);
      if (ok) passed++;
      else failed++;
      count(bySource, one.source, ok);
      count(byFunction, name, ok);
      if (!ok && listed-- > 0) {
        const cells = JSON.stringify(one.cells);
        console.log(`${one.id} ${one.sheet}!${one.cell} ${one.formula}${one.array ? ` {${one.array.join('x')}}` : ''}`);
        console.log(
          `   expected ${JSON.stringify(one.expected.value)} got ${JSON.stringify(got)}  ${cells.length > 400 ? `${cells.slice(0, 400)}...` : cells}`,
        );
      }
    }
  }
  table('function', byFunction);
  table('source', bySource);
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}
