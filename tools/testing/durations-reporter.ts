/**
 * Vitest reporter that lists the duration of every test file, slowest first. Prints the slowest and writes all to
 * test-results/.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Reporter, TestModule } from 'vitest/node';

const root = fileURLToPath(new URL('../..', import.meta.url));
const printed = 25;

export class DurationsReporter implements Reporter {
  readonly #folder: string;

  /** The list of durations is written to test-results/ in this folder. */
  constructor(folder: string = root) {
    this.#folder = folder;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const rows = modules
      .map((module) => ({ file: module.relativeModuleId, seconds: secondsOf(module) }))
      .toSorted((a, b) => b.seconds - a.seconds);
    if (rows.length < 2) return;
    const lines = rows.map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`);
    const total = rows.reduce((sum, { seconds }) => sum + seconds, 0);
    mkdirSync(join(this.#folder, 'test-results'), { recursive: true });
    writeFileSync(join(this.#folder, 'test-results', `durations-${fileName(rows)}.txt`), `${lines.join('\n')}\n`);
    process.stdout.write(
      `\nSlowest of ${rows.length} files (${total.toFixed(0)} s in all, over all workers; every one in test-results/):\n`,
    );
    process.stdout.write(`${lines.slice(0, printed).join('\n')}\n`);
  }
}

function secondsOf(module: TestModule): number {
  const { setupDuration, collectDuration, duration } = module.diagnostic();
  return (setupDuration + collectDuration + duration) / 1000;
}

/**
 * Returns the last part of the report's file name. The browser tests run separately, so their report needs a name of
 * its own.
 */
function fileName(rows: readonly { file: string }[]): string {
  return rows.every(({ file }) => file.includes('e2e/')) ? 'browser' : 'suites';
}
