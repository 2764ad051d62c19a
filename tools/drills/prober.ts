/**
 * Calls a server during an attack and records the slowest responses and the highest memory use. It is a separate
 * process from the attacker, because delays in the busy attacker would look like delays of the server.
 * Arguments: url, pid, client id, key, file_id, sheet_id. On SIGTERM it prints its measurements and exits.
 */
import { readFile, readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { call } from '@sheaf/client';
import type { AttackMeasurements } from './measure-attack.ts';

const [url, pid, clientId, apiKey, fileId, sheetId] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
  string,
];
const patienceMs = 120_000;
const seen: AttackMeasurements = { healthMs: 0, editMs: 0, noteMs: 0, memoryMb: 0, probes: 0, failures: [] };
let isOver = false;

async function timed(what: 'healthMs' | 'editMs' | 'noteMs', probe: () => Promise<void>): Promise<void> {
  const started = performance.now();
  try {
    await probe();
  } catch (error) {
    seen.failures.push(`${what}: ${(error as Error).message}`);
  }
  seen[what] = Math.max(seen[what], performance.now() - started);
  seen.probes++;
}

const parent = process.ppid;

/** Repeats `turn` until SIGTERM is received or the parent process ends. */
async function again(pauseMs: number, turn: (count: number) => Promise<void>): Promise<void> {
  for (let count = 0; !isOver && process.ppid === parent; count++) {
    await turn(count);
    await sleep(pauseMs);
  }
}

async function health(): Promise<void> {
  const answer = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(patienceMs) });
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`/healthz answered ${answer.status}`);
}

async function asBystander(module: string, operation: string, input: unknown): Promise<void> {
  const signal = AbortSignal.timeout(patienceMs);
  const { code, msg } = await call({ url, clientId, apiKey }, module, operation, input, { signal });
  if (code !== 0) throw new Error(`${operation} answered ${code} ${msg}`);
}

/**
 * Returns the resident memory of the server and its descendants in megabytes, with shared pages counted once; undefined
 * if the platform does not report it.
 */
async function memory(): Promise<number | undefined> {
  const parents = new Map<string, string>();
  for (const name of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(name)) continue;
    const text = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    // The process name in parentheses may contain parentheses itself, so parse after the last one.
    const parent = text.slice(text.lastIndexOf(')') + 2).split(' ')[1];
    if (parent) parents.set(name, parent);
  }
  const isOurs = (name: string | undefined): boolean =>
    name === pid || (name !== undefined && isOurs(parents.get(name)));
  let pages: number | undefined;
  for (const name of [...parents.keys()].filter(isOurs)) {
    const shares = await readFile(`/proc/${name}/smaps_rollup`, 'utf8').catch(() => '');
    pages = (pages ?? 0) + Number(/^Pss:\s+(\d+)/m.exec(shares)?.[1] ?? 0);
  }
  return pages === undefined ? undefined : pages / 1024;
}

process.once('SIGTERM', () => {
  isOver = true;
});
const loops = [
  again(25, () => timed('healthMs', health)),
  again(100, (count) =>
    timed('editMs', () =>
      asBystander('sheet', 'set_cell_value', {
        file_id: fileId,
        sheet_id: sheetId,
        row: count % 50,
        col: 0,
        value_type: 'NUMBER',
        number_value: count,
      }),
    ),
  ),
  again(100, (count) =>
    timed('noteMs', () => asBystander('note', 'import_doc', { content_format: 1, content: `# Note ${count}\n\ntext` })),
  ),
  again(100, async () => {
    seen.memoryMb = Math.max(seen.memoryMb, (await memory()) ?? 0);
  }),
];
process.stdout.write('ready\n');
await Promise.all(loops);
process.stdout.write(`${JSON.stringify(seen)}\n`);
