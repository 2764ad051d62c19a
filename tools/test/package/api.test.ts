/** [finding C10] docs/api holds the package's types, so that a change of the public API is visible in review. */
import { execFile } from 'node:child_process';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const script = (name: string) => pathToFileURL(join('tools', 'package', name)).href;

test('[finding C10] docs/api is fresh (npm run docs writes it)', async () => {
  const program = `
    const { makeTypes } = await import(${JSON.stringify(script('types.mjs'))});
    const { apiReport } = await import(${JSON.stringify(script('api-report.mjs'))});
    const types = Object.entries(await makeTypes());
    console.log(JSON.stringify(types.map(([entry, text]) => [entry + '.d.ts', apiReport(entry, text)])));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], { maxBuffer: 2 ** 26 });
  const reports = JSON.parse(stdout) as [name: string, text: string][];
  expect((await readdir(join('docs', 'api'))).toSorted()).toEqual(reports.map(([name]) => name).toSorted());
  for (const [name, text] of reports) {
    expect(
      (await readFile(join('docs', 'api', name), 'utf8')) === text,
      `docs/api/${name} is stale: npm run docs`,
    ).toBe(true);
  }
}, 120_000);
