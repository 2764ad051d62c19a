import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

function run(command: string[], env: Record<string, string>): { status: number | null; output: string } {
  const { SHEAF_NO_BROWSER: _left, ...inherited } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    cwd: root,
    encoding: 'utf8',
    env: { ...inherited, ...env },
  });
  return { status, output: stdout + stderr };
}

describe('[finding A15] what a run of the tests says', () => {
  test('the tests of the page fail without a browser, unless they are left out by name', () => {
    const absent = '/nowhere/chromium';
    const failed = run(['tools/browser-tests.mjs'], { SHEAF_CHROMIUM: absent });
    expect([failed.status, failed.output]).toEqual([1, `SHEAF_CHROMIUM: there is no file ${absent}\n`]);
    const left = run(['tools/browser-tests.mjs'], { SHEAF_CHROMIUM: absent, SHEAF_NO_BROWSER: '1' });
    expect([left.status, left.output]).toEqual([0, 'left out: SHEAF_NO_BROWSER=1\n']);
  });

  test('the slowest files come first', () => {
    mkdirSync(join(root, 'test-results'), { recursive: true });
    const folder = mkdtempSync(join(root, 'test-results', 'durations-'));
    try {
      const wait = (ms: number): string =>
        `import { test } from 'vitest';\ntest('waits', () => new Promise((resolve) => setTimeout(resolve, ${ms})));\n`;
      writeFileSync(join(folder, 'quick.test.ts'), wait(1));
      writeFileSync(join(folder, 'slow.test.ts'), wait(1200));
      writeFileSync(
        join(folder, 'vitest.config.ts'),
        `import { DurationsReporter } from '../../tools/testing/durations-reporter.ts';\n` +
          `export default { test: { reporters: ['default', new DurationsReporter(${JSON.stringify(folder)})] } };\n`,
      );
      const { status, output } = run(['node_modules/vitest/vitest.mjs', 'run', '--root', folder], {});
      expect(status, output).toBe(0);
      const table = output.slice(output.indexOf('Slowest of 2 files'));
      expect(table).toMatch(/\n +1\.\d s {2}slow\.test\.ts\n +0\.\d s {2}quick\.test\.ts\n/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
