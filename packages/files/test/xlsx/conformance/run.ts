import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { recalculateDocument, type SheetDocument } from '@sheaf/engine/internal/document';
import { CellError, parseCell } from '@sheaf/engine';
import { readXlsx, type ReadResult } from '../../../src/xlsx/read-workbook.ts';
import { convertToXlsx } from '../../../src/xls/convert-workbook.ts';
import { writeXlsx } from '../../../src/xlsx/write-workbook.ts';
import { RawBook } from './book.ts';
import { chartLines, compareCharts, type ChartReport } from './charts.ts';
import { compareDocuments, place, shown } from './compare-documents.ts';
import { features, others, type Feature } from './features.ts';
import { compareParts, type PartReport } from './parts.ts';
import { shownByLibreOffice, type Pair, type Shown } from './libreoffice.ts';

/** Runs workbooks of others through import, calculation, export and import again, and says what was kept. */

export type Verdict = 'kept' | 'lost' | 'warned' | 'absent';

export interface FileReport {
  readonly file: string;
  readonly formulas: {
    agree: number;
    differ: number;
    keptValues: number;
    volatile: number;
    uncached: number;
    circular: number;
  };
  /** What was found of each feature, and up to a few examples of what was lost. */
  readonly features: Record<string, { verdict: Verdict; found: number; lost: readonly string[] }>;
  /** Values, formulas, looks and objects that differ after the second import. */
  readonly again: readonly string[];
  readonly differing: readonly string[];
  readonly warnings: readonly string[];
  readonly charts: readonly ChartReport[];
  /** Elements and attributes of the original that the export lacks. */
  readonly parts: PartReport;
  /** Charts that the document draws, and warnings about those it does not. */
  readonly drawn: number;
  readonly warned: number;
  readonly error?: string;
}

const moment = 45_000.5;
const shownExamples = 5;
const workbookKinds = new Set(['.xlsx', '.xlsm', '.xltx', '.xltm', '.xls']);

export function isWorkbook(path: string): boolean {
  return workbookKinds.has(extname(path).toLowerCase());
}

export async function main(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { json: { type: 'boolean' }, verbose: { type: 'boolean' }, libreoffice: { type: 'boolean' } },
  });
  const reports: FileReport[] = [];
  for (const file of await filesOf(positionals)) {
    const report = await reportOf(file);
    reports.push(report);
    if (!values.json) console.log(lineOf(report, values.verbose === true));
  }
  if (reports.length === 0) {
    console.error(`no workbooks in ${positionals.join(', ')}`);
    return 2;
  }
  const totals = totalsOf(reports);
  const seen = values.libreoffice ? await inLibreOffice(await filesOf(positionals)) : undefined;
  if (values.json) console.log(JSON.stringify({ files: reports, totals, ...(seen && { libreoffice: seen }) }, null, 2));
  else {
    printTotals(totals);
    console.log(['', ...chartLines(reports)].join('\n'));
    if (seen) printShown(seen);
  }
  const isShownAlike = seen?.every(({ differ, failed }) => differ === 0 && failed === undefined) ?? true;
  const isWhole = totals.lost === 0 && Object.keys(totals.lostKinds).length === 0;
  return totals.failed === 0 && isWhole && totals.differ === 0 && totals.changed === 0 && isShownAlike ? 0 : 1;
}

async function inLibreOffice(files: readonly string[]): Promise<Shown[]> {
  const pairs: Pair[] = [];
  for (const path of files) {
    const original = new Uint8Array(await readFile(path));
    const isOld = extname(path).toLowerCase() === '.xls';
    const { document, images } = reading(isOld ? (await convertToXlsx(original)).bytes : original);
    const exported = writeXlsx(document, {
      images: new Map(images.map((one) => [one.key, one.bytes])),
      at: new Date(0),
    });
    pairs.push({ file: basename(path), original, exported, volatile: volatileCells(document) });
  }
  return shownByLibreOffice(pairs);
}

function printShown(seen: readonly Shown[]): void {
  for (const { file, cells, differ, examples, failed } of seen)
    if (failed !== undefined) console.log(`${file}: ${failed}`);
    else if (differ > 0) console.log([`${file}: ${differ} of ${cells} cells differ`, ...examples].join('\n    '));
  const same = seen.filter(({ differ, failed }) => differ === 0 && failed === undefined).length;
  const cells = seen.reduce((sum, one) => sum + one.cells, 0);
  console.log(`\nLibreOffice shows the same in ${same} of ${seen.length} exports (${cells} cells)`);
}

/** Lock files that programs leave beside an open workbook are none. */
async function filesOf(paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    if (!(await stat(path)).isDirectory()) found.push(path);
    else
      for (const inside of (await readdir(path, { recursive: true })).sort()) {
        const name = basename(inside);
        if (isWorkbook(name) && !name.startsWith('~$') && !name.startsWith('.~')) found.push(join(path, inside));
      }
  }
  return found;
}

export async function reportOf(path: string): Promise<FileReport> {
  const bytes = new Uint8Array(await readFile(path));
  try {
    return examine(basename(path), extname(path).toLowerCase() === '.xls' ? (await convertToXlsx(bytes)).bytes : bytes);
  } catch (error) {
    return {
      file: basename(path),
      formulas: { agree: 0, differ: 0, keptValues: 0, volatile: 0, uncached: 0, circular: 0 },
      features: {},
      again: [],
      differing: [],
      warnings: [],
      charts: [],
      parts: { kinds: 0, lost: [] },
      drawn: 0,
      warned: 0,
      error: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
    };
  }
}

export function examine(file: string, bytes: Uint8Array): FileReport {
  const before = new RawBook(bytes);
  const first = reading(bytes);
  const images = new Map(first.images.map((one) => [one.key, one.bytes]));
  const { formulas, differing } = compareFormulas(before, first);
  const exported = writeXlsx(first.document, { images, at: new Date(0) });
  const after = new RawBook(exported);
  const second = reading(exported);
  return {
    file,
    formulas,
    features: compareFeatures(before, after, first.warnings),
    again: compareDocuments(first.document, second.document),
    differing,
    warnings: first.warnings,
    charts: compareCharts(before, after),
    parts: compareParts(before, after),
    drawn: first.document.subSheets.reduce((sum, { charts }) => sum + charts.length, 0),
    warned: first.warnings.filter((one) => /^a chart on |is a chart sheet/.test(one)).length,
  };
}

function reading(bytes: Uint8Array): ReadResult {
  let ids = 0;
  return readXlsx(bytes, {
    newId: (prefix) => `${prefix}${++ids}`,
    newSheetId: () => `s${++ids}`,
    owner: 'importer',
    now: moment,
  });
}

function compareFormulas(
  book: RawBook,
  { document }: ReadResult,
): { formulas: FileReport['formulas']; differing: string[] } {
  const formulas = { agree: 0, differ: 0, keptValues: 0, volatile: 0, uncached: 0, circular: 0 };
  const differing: string[] = [];
  const values = new Map<string, unknown>();
  for (const sheet of book.sheets) {
    const sub = document.byName(sheet.name);
    if (!sub) continue;
    for (const cell of sheet.cells.values()) {
      const at = cell.formula === undefined ? undefined : parseCell(cell.ref);
      if (at) values.set(place(sub, at.row, at.col), document.value(sub, at.row, at.col));
    }
  }
  const volatile = volatileCells(document);
  for (const sheet of book.sheets) {
    const sub = document.byName(sheet.name);
    if (!sub) continue;
    for (const cell of sheet.cells.values()) {
      const at = cell.formula === undefined ? undefined : parseCell(cell.ref);
      if (!at) continue;
      const key = place(sub, at.row, at.col);
      if (volatile.has(key)) {
        formulas.volatile++;
        continue;
      }
      // Written by a program that does not calculate.
      if ((cell.value ?? '') === '' && cell.type !== 'str') {
        formulas.uncached++;
        continue;
      }
      const cached = book.cached(cell);
      const got = values.get(key);
      if (got instanceof CellError && got.text === '#CIRC!') formulas.circular++;
      if (document.formula(sub, at.row, at.col) === undefined) formulas.keptValues++;
      if (equal(cached, got)) formulas.agree++;
      else {
        formulas.differ++;
        if (differing.length < shownExamples)
          differing.push(`${key} =${cell.formula}: cached ${JSON.stringify(cached)}, here ${shown(got)}`);
      }
    }
  }
  return { formulas, differing };
}

/** What another moment changes depends on the clock or on chance, and no cached value can be expected of it. */
function volatileCells(document: SheetDocument): Set<string> {
  const volatile = new Set<string>();
  const { clock } = document;
  for (const { sheet, col, top, bottom } of recalculateDocument(document, { now: moment + 400.3, seed: 7 }))
    for (let row = top; row <= bottom; row++) volatile.add(place(document.subSheet(sheet), row, col));
  recalculateDocument(document, { now: clock.now, seed: clock.seed });
  return volatile;
}

function equal(cached: string | number | boolean | null, got: unknown): boolean {
  if (got instanceof CellError) return cached === got.text;
  if (cached === null || cached === '') return got === null || got === '' || (cached === null && got === 0);
  if (typeof cached === 'number' && typeof got === 'number')
    return Math.abs(cached - got) <= 1e-7 * Math.abs(cached) + 1e-9;
  return cached === got;
}

function compareFeatures(before: RawBook, after: RawBook, warnings: readonly string[]): FileReport['features'] {
  const report: Record<string, { verdict: Verdict; found: number; lost: readonly string[] }> = {};
  for (const feature of [...features, ...others]) {
    const had = feature.find(before, before);
    const has = feature.find(after, before);
    const lost = [...had].filter(([key, value]) => has.get(key) !== value);
    report[feature.name] = {
      verdict: had.size === 0 ? 'absent' : lost.length === 0 ? 'kept' : 'lost',
      found: had.size,
      lost: lost.slice(0, shownExamples).map(([key, value]) => {
        const now = has.get(key);
        return `${key}: ${value.slice(0, 200)} became ${now === undefined ? 'nothing' : now.slice(0, 200)}`;
      }),
    };
  }
  const macros = before.names.some((name) => /vbaProject\.bin$/i.test(name));
  report['macros'] = {
    verdict: !macros ? 'absent' : warnings.some((one) => /macro/i.test(one)) ? 'warned' : 'lost',
    found: macros ? 1 : 0,
    lost: [],
  };
  return report;
}

function lineOf(
  { file, formulas, features: found, again, differing, parts, error }: FileReport,
  verbose: boolean,
): string {
  if (error !== undefined) return `${file}: FAILED ${error}`;
  const entries = Object.entries(found);
  const lost = entries.filter(([, one]) => one.verdict === 'lost');
  const had = entries.filter(([, one]) => one.verdict !== 'absent').length;
  const count = formulas.agree + formulas.differ;
  const lostKinds = parts.lost.filter(({ reason }) => reason === undefined);
  const line =
    `${file}: formulas ${formulas.agree}/${count}${formulas.volatile > 0 ? ` (${formulas.volatile} volatile)` : ''}` +
    `${formulas.circular > 0 ? ` (${formulas.circular} circular)` : ''}, ` +
    `features ${had - lost.length}/${had}${lost.length > 0 ? ` lost: ${lost.map(([name]) => name).join(', ')}` : ''}` +
    `${again.length > 0 ? `, again: ${again.length} differ` : ''}` +
    `, parts ${parts.kinds - lostKinds.length}/${parts.kinds}`;
  if (!verbose) return line;
  return [
    line,
    ...differing,
    ...lost.flatMap(([name, one]) => one.lost.map((text) => `${name}: ${text}`)),
    ...again,
    ...lostKinds.map(({ kind, count: times, example }) => `${kind} (${times}): ${example}`),
  ].join('\n    ');
}

interface Totals {
  files: number;
  failed: number;
  withFormulas: number;
  /** Those of them that hold no value to compare with, as of a program that does not calculate, or only what changes by itself. */
  uncompared: number;
  agreeing: number;
  agree: number;
  differ: number;
  circular: number;
  /** Features of finding X4 that every file kept that has them. */
  keptFeatures: number;
  presentFeatures: number;
  lost: number;
  /** Files that a second import shows differently. */
  changed: number;
  features: Record<string, { files: number; kept: number }>;
  /** Kinds of element and attribute that exports lack without a reason. */
  lostKinds: Record<string, { files: number; example: string }>;
}

function totalsOf(reports: readonly FileReport[]): Totals {
  const byFeature: Record<string, { files: number; kept: number }> = {};
  const named = new Set([...features.map((one: Feature) => one.name), 'macros']);
  for (const { features: found } of reports)
    for (const [name, { verdict }] of Object.entries(found)) {
      const tally = (byFeature[name] ??= { files: 0, kept: 0 });
      if (verdict === 'absent') continue;
      tally.files++;
      if (verdict !== 'lost') tally.kept++;
    }
  const present = Object.entries(byFeature).filter(([name, { files }]) => named.has(name) && files > 0);
  const sum = (pick: (formulas: FileReport['formulas']) => number): number =>
    reports.reduce((total, one) => total + pick(one.formulas), 0);
  const withFormulas = reports.filter(
    ({ formulas: { agree, differ, volatile, uncached } }) => agree + differ + volatile + uncached > 0,
  );
  return {
    files: reports.length,
    failed: reports.filter((one) => one.error !== undefined).length,
    withFormulas: withFormulas.length,
    uncompared: withFormulas.filter(({ formulas }) => formulas.agree + formulas.differ === 0).length,
    agreeing: withFormulas.filter(({ formulas }) => formulas.differ === 0).length,
    agree: sum((one) => one.agree),
    differ: sum((one) => one.differ),
    circular: sum((one) => one.circular),
    keptFeatures: present.filter(([, { files, kept }]) => files === kept).length,
    presentFeatures: present.length,
    lost: Object.values(byFeature).reduce((total, { files, kept }) => total + files - kept, 0),
    changed: reports.filter((one) => one.again.length > 0).length,
    features: byFeature,
    lostKinds: lostKindsOf(reports),
  };
}

function lostKindsOf(reports: readonly FileReport[]): Totals['lostKinds'] {
  const found: Totals['lostKinds'] = {};
  for (const { file, parts } of reports)
    for (const { kind, example, reason } of parts.lost) {
      if (reason !== undefined) continue;
      const one = (found[kind] ??= { files: 0, example: `${file}: ${example}` });
      one.files++;
    }
  return found;
}

function printTotals(totals: Totals): void {
  const lost = Object.entries(totals.lostKinds).sort(([, a], [, b]) => b.files - a.files);
  for (const [kind, { files, example }] of lost) console.log(`${kind}: lost in ${files} workbooks; ${example}`);
  console.log(`\n${lost.length} kinds of element or attribute lost without a reason`);
  console.log(`\n${'feature'.padEnd(26)} files   kept`);
  for (const [name, { files, kept }] of Object.entries(totals.features))
    if (files > 0) console.log(`${name.padEnd(26)} ${String(files).padStart(5)}  ${String(kept).padStart(5)}`);
  console.log(
    `\n${totals.files} workbooks, ${totals.failed} failed; ` +
      `${totals.agreeing} of ${totals.withFormulas} with formulas agree in every one ` +
      `(${totals.uncompared} of them hold no values to compare with; ` +
      `${totals.agree} formulas agree, ${totals.differ} differ, ${totals.circular} circular); ` +
      `${totals.keptFeatures} of ${totals.presentFeatures} features kept wherever they are; ` +
      `${totals.changed} workbooks differ after a second import`,
  );
}
