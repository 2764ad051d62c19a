import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readXlsx } from '@sheaf/files/xlsx/read-workbook';
import { median } from '../engine/clock.ts';
import type { Row } from '../measure/report.ts';

const goal = 0.5;
const runs = Number(process.env['SHEAF_BENCH_TURNS'] ?? 3);
const defaultFolder = join('..', 'shared', 'workbooks');

/** Imports and calculates every workbook of a folder; runs in its own process. */
export async function readAll(folder: string): Promise<void> {
  for (const file of await workbooksOf(folder)) {
    let ids = 0;
    readXlsx(new Uint8Array(await readFile(file)), {
      newId: (prefix) => `${prefix}${++ids}`,
      newSheetId: () => `s${++ids}`,
      owner: 'bench',
      now: 45_000.5,
    });
  }
}

/**
 * Measures real workbooks: import and full calculation of a folder in one process, compared with LibreOffice converting the
 * same files in one process. Counts the processor time of the whole process, including its start. `SHEAF_BENCH_WORKBOOKS`
 * names another folder.
 */
export async function measureRealWorkbooks(): Promise<Row[]> {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const folder = process.env['SHEAF_BENCH_WORKBOOKS'] ?? join(root, defaultFolder);
  if (!existsSync(folder)) return [{ what: `no workbooks: there is no folder ${folder}`, value: 'left out' }];
  const files = await workbooksOf(folder);
  const script = `import(${JSON.stringify(import.meta.url)}).then((bench) => bench.readAll(${JSON.stringify(folder)}))`;
  const ours = () => processorTime(process.execPath, ['--input-type=module', '--eval', script]);
  const what = `import and calculation of ${files.length} workbooks in one process`;
  const scratch = await mkdtemp(join(tmpdir(), 'sheaf-real-'));
  try {
    const theirs = async (chosen: readonly string[]): Promise<number> =>
      processorTime('soffice', [
        `-env:UserInstallation=file://${join(scratch, 'profile')}`,
        '--headless',
        '--convert-to',
        'xlsx',
        '--outdir',
        join(scratch, 'converted'),
        ...chosen,
      ]);
    // LibreOffice creates a profile on its first start, which must not count.
    const made = await theirs(files.slice(0, 1)).catch(() => undefined);
    if (made === undefined)
      return [
        { what, value: `${(await ours()).toFixed(1)} s` },
        { what: '  LibreOffice (soffice)', value: 'not here' },
      ];
    const [mine, others]: [number[], number[]] = [[], []];
    for (let run = 0; run < runs; run++) {
      mine.push(await ours());
      others.push(await theirs(files));
    }
    const converted = (await readdir(join(scratch, 'converted'))).length;
    const ratio = median(mine) / median(others);
    return [
      {
        what,
        value: `${median(mine).toFixed(1)} s`,
        goal: `<= x ${goal} of LibreOffice: x ${ratio.toFixed(3)}`,
        met: ratio <= goal,
      },
      { what: `  LibreOffice, ${converted} of ${files.length} converted`, value: `${median(others).toFixed(1)} s` },
    ];
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function workbooksOf(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.xlsx') && !name.startsWith('~$'));
  return names.sort().map((name) => join(folder, name));
}

/** Returns the processor seconds of a command and its children, as the shell's `times` reports them. */
function processorTime(command: string, args: readonly string[]): Promise<number> {
  const shell = spawn('sh', ['-c', '"$@" >/dev/null 2>&1 || exit 1; times', 'sh', command, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let told = '';
  shell.stdout.on('data', (chunk: Buffer) => (told += chunk.toString()));
  return new Promise((resolve, reject) => {
    shell.on('error', reject);
    shell.on('close', (code) => {
      if (code !== 0) return reject(new Error(`${command} failed`));
      const spent = [...(told.trim().split('\n')[1] ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
      resolve(spent.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0));
    });
  });
}
