import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { unzipSync } from 'fflate';
import { writeXlsx } from '../../../src/xlsx/write-workbook.ts';
import { readXlsx } from '../../../src/xlsx/read-workbook.ts';
import { comparePixels, type PixelReport } from './compare-pixels.ts';

/**
 * Compares the pictures that LibreOffice makes of workbooks and of their exports:
 *   npm run conformance -- pictures FOLDER... [--take 60] [--keep FOLDER]
 * `soffice` and `pdftoppm` must be on the path. --keep leaves the files and pictures in a folder.
 *
 * Of all .xlsx and .xlsm files of at most 300 kB, those are taken that have the most kinds of rich content (see `kinds`);
 * among equals by name, with a file of the same bytes once. Files with what depends on the clock or on chance are left out.
 * Of each, the first 10 pages are drawn at 60 dots per inch.
 */
export async function main(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { take: { type: 'string', default: '60' }, keep: { type: 'string' } },
  });
  const chosen = await chooseWorkbooks(positionals, Number(values.take));
  const folder = values.keep ?? (await mkdtemp(join(tmpdir(), 'sheaf-pictures-')));
  try {
    const reports = await inPictures(folder, chosen);
    for (const { file, report } of reports) console.log(`${file}: ${shown(report)}`);
    const alike = reports.filter(({ report }) => typeof report !== 'string' && report.share <= 0.001);
    console.log(
      `\n${alike.length} of ${reports.length} workbooks give the same picture (at most 0.1 % of pixels differ)`,
    );
    return alike.length === reports.length ? 0 : 1;
  } finally {
    if (values.keep === undefined) await rm(folder, { recursive: true, force: true });
  }
}

const run = promisify(execFile);
const largest = 300_000;
const batchSize = 10;
/** Milliseconds for one workbook, and for each of a batch. */
const timeLimit = 60_000;
const pageLimit = '10';
const dotsPerInch = '60';

interface Chosen {
  readonly file: string;
  readonly bytes: Uint8Array;
}

/** Each tells by the names of a workbook's parts and their text whether a kind of rich content is in it. */
const kinds: readonly ((names: string, text: string) => boolean)[] = [
  (names) => /\/charts\/chart/.test(names),
  (names) => /\/media\//.test(names),
  (names) => /\/tables\/table/.test(names),
  (names) => /\/pivotTables\//.test(names),
  (names) => /\/comments/.test(names),
  (_, text) => /<(?:\w+:)?conditionalFormatting[\s>]/.test(text),
  (_, text) => /<(?:\w+:)?mergeCell[\s>]/.test(text),
  (_, text) => /<(?:\w+:)?(?:pageSetup|printOptions|headerFooter)[\s>]/.test(text),
  (_, text) => /_xlnm\.Print_/.test(text),
  (_, text) => /<(?:\w+:)?hyperlink[\s>]/.test(text),
  (_, text) => /<(?:\w+:)?sparkline[\s>]/.test(text),
  (_, text) => (text.match(/<(?:\w+:)?(?:fill|border|font)>/g) ?? []).length > 12,
];

/** Functions, conditional formats and header fields that give something else at another moment. */
const changing = /\b(?:RAND|RANDBETWEEN|RANDARRAY|NOW|TODAY)\(|timePeriod|&amp;[DT]\b/;

async function chooseWorkbooks(folders: readonly string[], count: number): Promise<Chosen[]> {
  const found: (Chosen & { rank: number })[] = [];
  const seen = new Set<string>();
  for (const folder of folders)
    for (const name of (await readdir(folder, { recursive: true })).toSorted()) {
      if (!/\.xls[xm]$/i.test(name) || basename(name).startsWith('~$')) continue;
      const bytes = new Uint8Array(await readFile(join(folder, name)));
      const content = bytes.length <= largest ? contentOf(bytes) : undefined;
      if (content === undefined || changing.test(content.text)) continue;
      const rank = kinds.filter((has) => has(content.names, content.text)).length;
      if (!seen.has(content.text)) found.push({ file: name, bytes, rank });
      seen.add(content.text);
    }
  return found.toSorted((a, b) => b.rank - a.rank).slice(0, count);
}

/** Returns nothing for a file that is no zip archive, such as an encrypted workbook. */
function contentOf(bytes: Uint8Array): { names: string; text: string } | undefined {
  let parts;
  try {
    parts = unzipSync(bytes);
  } catch {
    return undefined;
  }
  const decoder = new TextDecoder();
  const text = Object.entries(parts)
    .filter(([name]) => /xl\/(?:workbook|styles|worksheets\/\w+)\.xml$/i.test(name))
    .map(([, data]) => decoder.decode(data));
  return text.length > 0 ? { names: Object.keys(parts).join('\n'), text: text.join('\n') } : undefined;
}

type Outcome = PixelReport | string;

async function inPictures(folder: string, chosen: readonly Chosen[]): Promise<{ file: string; report: Outcome }[]> {
  const before = await write(
    join(folder, 'before'),
    chosen.map(({ bytes }) => bytes),
    chosen,
  );
  const after = await write(
    join(folder, 'after'),
    chosen.map(({ bytes }) => exportOf(bytes)),
    chosen,
  );
  const reports: { file: string; report: Outcome }[] = [];
  for (let at = 0; at < chosen.length; at += batchSize) {
    for (const paths of [before, after]) await toPdf(folder, paths.slice(at, at + batchSize));
    for (let i = at; i < Math.min(at + batchSize, chosen.length); i++)
      reports.push({ file: chosen[i]!.file, report: await compareFiles(before[i]!, after[i]!) });
  }
  return reports;
}

async function write(folder: string, files: readonly Uint8Array[], chosen: readonly Chosen[]): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const paths = chosen.map(({ file }, i) => join(folder, `${i}${extname(file)}`));
  await Promise.all(files.map((bytes, i) => writeFile(paths[i]!, bytes)));
  return paths;
}

function exportOf(bytes: Uint8Array): Uint8Array {
  let ids = 0;
  const { document, images } = readXlsx(bytes, {
    newId: (prefix) => `${prefix}${++ids}`,
    newSheetId: () => `s${++ids}`,
    owner: 'importer',
    now: 45_000,
  });
  return writeXlsx(document, { images: new Map(images.map((one) => [one.key, one.bytes])), at: new Date(0) });
}

/** Converts a batch in one process; what is missing then, because the process hung or failed, each by itself. */
async function toPdf(folder: string, paths: readonly string[]): Promise<void> {
  await convert(folder, paths);
  if (paths.length === 1) return;
  for (const path of paths) if (!(await isThere(pdfOf(path)))) await convert(folder, [path]);
}

async function convert(folder: string, paths: readonly string[]): Promise<void> {
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
  const outdir = join(paths[0]!, '..');
  await run('soffice', [profile, '--headless', '--convert-to', 'pdf', '--outdir', outdir, ...paths], {
    maxBuffer: 2 ** 26,
    timeout: timeLimit,
    killSignal: 'SIGKILL',
  }).catch(() => undefined);
}

const pdfOf = (path: string): string => path.replace(/\.\w+$/, '.pdf');
const isThere = (path: string): Promise<boolean> =>
  readFile(path).then(
    () => true,
    () => false,
  );

async function compareFiles(before: string, after: string): Promise<Outcome> {
  if (!(await isThere(pdfOf(before)))) return 'LibreOffice fails at the original, or takes too long';
  if (!(await isThere(pdfOf(after)))) return 'LibreOffice fails at the export, or takes too long';
  return comparePixels(await pagesOf(pdfOf(before)), await pagesOf(pdfOf(after)));
}

async function pagesOf(pdf: string): Promise<Uint8Array[]> {
  const stem = pdf.replace(/\.pdf$/, '');
  await run('pdftoppm', ['-r', dotsPerInch, '-l', pageLimit, pdf, stem]);
  const names = (await readdir(join(pdf, '..'))).filter((name) => name.startsWith(`${basename(stem)}-`));
  return Promise.all(names.toSorted().map((name) => readFile(join(pdf, '..', name))));
}

function shown(report: Outcome): string {
  if (typeof report === 'string') return report;
  const { share, pages, otherPages, differing } = report;
  if (share === 0) return `same, ${pages} pages`;
  return `${(share * 100).toFixed(3)} % of pixels differ on pages ${differing.join(', ')} of ${pages} (export ${otherPages})`;
}
