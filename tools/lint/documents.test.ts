import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { layers, mayReachModule } from './architecture.ts';

const root = resolve(fileURLToPath(new URL('../..', import.meta.url)));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0');
const sources = readdirSync(join(root, 'packages')).map((name) => `packages/${name}/src`);

/** Documents about the code. Operations, specifications and the changelog name no source files. */
const documents = tracked.filter(
  (path) => path.endsWith('.md') && !/^docs\/(operations|spec)\/|^CHANGELOG|\/(test|node_modules)\//.test(path),
);

/** Returns whether a path in a document may refer to an existing file: relative to the root, the document or a src/. */
function isFile(path: string, document: string): boolean {
  const folders = ['', dirname(document), join(dirname(document), 'src'), ...sources, 'packages/server/src/modules'];
  return (
    folders.some((folder) => existsSync(join(root, folder, path))) || tracked.some((one) => one.endsWith(`/${path}`))
  );
}

describe('[finding A14] documents say what the code says', () => {
  test.each(documents)('%s names source files that exist', (document) => {
    const named = [...read(document).matchAll(/(?<![\w/.-])((?:[\w-]+\/)+[\w.-]+\.(?:ts|tsx|mjs))\b/g)];
    expect(named.map(([, path]) => path!).filter((path) => !isFile(path, document))).toEqual([]);
  });

  test('the packages of ARCHITECTURE.md are those of the workspace, and none uses more than it may', () => {
    const rows = [
      ...read('ARCHITECTURE.md').matchAll(/^\| \[(\w+)\]\(packages\/\w+\/README\.md\) \|[^|]*\|([^|]*)\|$/gm),
    ];
    const allowed = new Map(rows.map(([, name, uses]) => [name!, uses!]));
    expect([...allowed.keys()].toSorted()).toEqual(readdirSync(join(root, 'packages')).toSorted());
    for (const [name, uses] of allowed) {
      const { dependencies = {} } = JSON.parse(read(`packages/${name}/package.json`)) as {
        dependencies?: Record<string, string>;
      };
      const used = Object.keys(dependencies).flatMap((one) => (one.startsWith('@sheaf/') ? [basename(one)] : []));
      expect([name, used.filter((one) => !new RegExp(`\\b${one}\\b`).test(uses))]).toEqual([name, []]);
    }
  });

  test("the layers in the engine's README are those of the import rules, in their order", () => {
    const table = /\| `src\/` \| what \|\n\|[-|]*\|\n((?:\|.*\n)+)/.exec(read('packages/engine/README.md'))![1]!;
    expect([...table.matchAll(/^\| `([\w-]+)\/`/gm)].map(([, layer]) => layer)).toEqual(layers);
  });

  test('modules import each other where ARCHITECTURE.md says so, and nowhere else', () => {
    const said = /Modules never import each other \(except that `(\w+)` imports `(\w+)`\)/.exec(
      read('ARCHITECTURE.md'),
    )!;
    const modules = readdirSync(join(root, 'packages/server/src/modules'));
    const pairs = modules.flatMap((one) =>
      modules.filter((other) => other !== one && mayReachModule(one, other)).map((other) => [one, other]),
    );
    expect(pairs).toEqual([[said[1], said[2]]]);
  });
});

/** Folders by the decision record that states their number of lines as a cost. */
const costs = {
  mcp: 'packages/server/src/transports/mcp',
  page: 'packages/web/src/features/sheets/grid',
  'query-language': 'packages/server/src/modules/sheet/query',
  'search-index': 'packages/search/src',
  'workbook-files': 'packages/files/src/xlsx',
};

test.each(Object.entries(costs))('[finding A14] docs/decisions/%s.md tells the size of %s', (record, folder) => {
  const [, told] = /about ([\d,]+) lines/i.exec(read(`docs/decisions/${record}.md`))!;
  const files = tracked.filter((path) => path.startsWith(`${folder}/`) && existsSync(join(root, path)));
  const size = files.reduce((sum, path) => sum + read(path).split('\n').length, 0);
  expect(size / Number(told!.replaceAll(',', ''))).toBeGreaterThan(0.75);
  expect(size / Number(told!.replaceAll(',', ''))).toBeLessThan(1.33);
});

test('[finding A16] the choices to write search, workbooks, queries and the page by hand are recorded with figures', () => {
  for (const subject of ['search-index', 'workbook-files', 'query-language', 'page']) {
    const record = read(`docs/decisions/${subject}.md`);
    for (const part of ['**Decision.**', '**Measured**', '**What would change our mind.**'])
      expect([subject, record.includes(part)]).toEqual([subject, true]);
  }
});

test('[finding A8] serving and building install at most 330 packages', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { link?: true; dev?: true; devOptional?: true; os?: string[]; cpu?: string[] }>;
  };
  const installed = Object.entries(packages).filter(
    ([path, { link, dev, devOptional, os = ['linux'], cpu = ['x64'] }]) =>
      path.includes('node_modules/') && !link && !dev && !devOptional && os.includes('linux') && cpu.includes('x64'),
  );
  expect(installed.length).toBeLessThanOrEqual(330);
});
