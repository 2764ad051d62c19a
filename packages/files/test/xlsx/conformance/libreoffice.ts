import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { RawBook, type RawCell } from './book.ts';

const run = promisify(execFile);
const shownExamples = 5;

export interface Pair {
  readonly file: string;
  readonly original: Uint8Array;
  readonly exported: Uint8Array;
  /** `Sheet!A1` of cells that another moment changes. */
  readonly volatile: ReadonlySet<string>;
}

export interface Shown {
  readonly file: string;
  readonly cells: number;
  readonly differ: number;
  readonly examples: readonly string[];
  /** Why there is nothing to compare. */
  readonly failed?: string;
}

/**
 * Opens every original and every export in LibreOffice and compares what it shows in their cells: both go the same way, so
 * that where LibreOffice differs from Excel it does so twice. `soffice` must be on the path.
 */
export async function shownByLibreOffice(pairs: readonly Pair[]): Promise<Shown[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-libreoffice-'));
  try {
    const before = await converted(
      folder,
      'before',
      pairs.map(({ file, original }) => [extname(file), original]),
    );
    const after = await converted(
      folder,
      'after',
      pairs.map(({ exported }) => ['.xlsx', exported]),
    );
    return pairs.map(({ file, volatile }, i) => {
      const [one, other] = [before[i], after[i]];
      if (!one || !other) {
        const failed = one ? 'LibreOffice does not open the export' : 'LibreOffice does not open the original';
        return { file, cells: 0, differ: 0, examples: [], failed };
      }
      return { file, ...compared(new RawBook(one), new RawBook(other), volatile) };
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Files as LibreOffice writes them after opening; undefined where it could not. */
async function converted(
  folder: string,
  name: string,
  files: readonly (readonly [kind: string, bytes: Uint8Array])[],
): Promise<(Uint8Array | undefined)[]> {
  const [inputs, outputs] = [join(folder, name), join(folder, `${name}-shown`)];
  await mkdir(inputs);
  const paths = files.map(([kind], i) => join(inputs, `${i}${kind}`));
  await Promise.all(files.map(([, bytes], i) => writeFile(paths[i] as string, bytes)));
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
  await run('soffice', [profile, '--headless', '--convert-to', 'xlsx', '--outdir', outputs, ...paths], {
    maxBuffer: 2 ** 26,
  });
  return Promise.all(
    files.map(async (_, i) => {
      const bytes = await readFile(join(outputs, `${i}.xlsx`)).catch(() => undefined);
      return bytes && new Uint8Array(bytes);
    }),
  );
}

function compared(before: RawBook, after: RawBook, volatile: ReadonlySet<string>): Omit<Shown, 'file'> {
  const examples: string[] = [];
  let cells = 0;
  let differ = 0;
  const note = (text: string): void => {
    differ++;
    if (examples.length < shownExamples) examples.push(text);
  };
  for (const sheet of before.sheets) {
    const again = after.sheets.find(({ name }) => name === sheet.name);
    if (!again) {
      note(`${sheet.name} is gone`);
      continue;
    }
    for (const ref of new Set([...sheet.cells.keys(), ...again.cells.keys()])) {
      if (volatile.has(`${sheet.name}!${ref}`)) continue;
      const one = shownIn(before, sheet.cells.get(ref));
      const other = shownIn(after, again.cells.get(ref));
      if (one === null && other === null) continue;
      cells++;
      if (!isSame(one, other)) note(`${sheet.name}!${ref}: ${JSON.stringify(one)} became ${JSON.stringify(other)}`);
    }
  }
  return { cells, differ, examples };
}

function shownIn(book: RawBook, cell: RawCell | undefined): string | number | boolean | null {
  const value = cell ? book.cached(cell) : null;
  return value === '' ? null : value;
}

function isSame(one: string | number | boolean | null, other: string | number | boolean | null): boolean {
  if (typeof one === 'number' && typeof other === 'number')
    return Math.abs(one - other) <= 1e-9 * Math.abs(one) + 1e-12;
  return one === other;
}
