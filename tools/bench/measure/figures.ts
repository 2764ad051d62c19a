import { createRequire } from 'node:module';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * Root folder of the repository. The path is relative to the bundled benchmarks, which are two folders below the root.
 */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** One line of a report. `met` tells whether the goal was reached; it is absent if there is no goal. */
export interface Row {
  what: string;
  value: string;
  goal?: string;
  met?: boolean;
}

export function report(title: string, rows: readonly Row[]): void {
  process.stdout.write(`\n${title}\n`);
  const width = Math.max(...rows.map((row) => row.what.length));
  const values = Math.max(...rows.map((row) => row.value.length));
  for (const row of rows) {
    const goal =
      row.goal === undefined ? '' : `  goal ${row.goal}${row.met === undefined ? '' : row.met ? '  met' : '  MISSED'}`;
    process.stdout.write(`  ${row.what.padEnd(width)}  ${row.value.padStart(values)}${goal}\n`);
  }
}

export function atMost(what: string, figure: number, max: number, value = figure.toFixed(2)): Row {
  return { what, value, goal: `<= ${Number(max.toFixed(2))}`, met: figure <= max };
}

export function atLeast(what: string, figure: number, min: number, value = figure.toFixed(2)): Row {
  return { what, value, goal: `>= ${min}`, met: figure >= min };
}

export function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * p) / 100))] ?? 0;
}

export const median = (values: readonly number[]): number => percentile(values, 50);

/** Returns the processor seconds of this process, including all threads. */
export async function ownCpuSeconds(): Promise<number> {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Latencies in milliseconds. */
export interface Times {
  p50: number;
  p95: number;
  /** Mean processor time of a run in milliseconds, which is independent of other machine load. */
  cpu: number;
}

/**
 * Measures `rounds` runs of `work`, after `warmUp` runs that are not counted. These fill caches and let code be
 * compiled.
 */
export async function timed(
  rounds: number,
  work: (round: number) => unknown,
  { warmUp = Math.ceil(rounds / 3), cpuSeconds = ownCpuSeconds } = {},
): Promise<Times> {
  const times: number[] = [];
  let before = 0;
  for (let round = -warmUp; round < rounds; round++) {
    if (round === 0) before = await cpuSeconds();
    const started = performance.now();
    await work(round + warmUp);
    if (round >= 0) times.push(performance.now() - started);
  }
  const cpu = (((await cpuSeconds()) - before) * 1000) / rounds;
  return { p50: percentile(times, 50), p95: percentile(times, 95), cpu };
}

/** Returns a report row of latencies whose goal is a maximum for the 95th percentile. */
export function timesRow(what: string, { p50, p95, cpu }: Times, max: number): Row {
  const value = `${p50.toFixed(2)} / ${p95.toFixed(2)} (${cpu.toFixed(2)})`;
  return { what, value, goal: `p95 < ${max}`, met: p95 < max };
}

/**
 * Returns whether the peers (packages with which sheaf is compared) are installed. If not, prints how to install them.
 */
export function arePeersInstalled(): boolean {
  if (existsSync(join(root, 'tools', 'bench', 'node_modules'))) return true;
  process.stdout.write('the peers are not installed: npm install --prefix tools/bench\n');
  return false;
}

const requirePeer = createRequire(join(root, 'tools', 'bench', 'package.json'));

/**
 * Loads the CommonJS package of a library with which sheaf is compared (a peer). It is untyped, because type checks
 * run without the peers.
 */
export function peer(name: string): any {
  return requirePeer(name);
}

export function importPeer(path: string): Promise<any> {
  return import(pathToFileURL(join(root, 'tools', 'bench', 'node_modules', path)).href);
}
