/** [finding C10] The npm package: its content, its installation, and whether its types and its command work elsewhere. */
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { install, installLocked, npm, pack, root, runTool, unpack, type Packed } from './packed.ts';

/** Time limit in milliseconds. It is long, because packing builds the product and installing may download packages. */
const patience = 600_000;
const consumer = fileURLToPath(new URL('./consumer', import.meta.url));

let packed: Packed;
let unpacked: string;
beforeAll(async () => {
  packed = await pack();
  unpacked = await unpack(packed.tarball);
}, patience);

const json = async (path: string) => JSON.parse(await readFile(path, 'utf8'));
const filesBelow = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();

describe('[finding C10] what is in the package', () => {
  test('the built product, its types, the command, the lock file for installers and what people read', () => {
    const paths = packed.files.map(({ path }) => path);
    const kinds = paths.filter((path) => !/^dist\/(chunks|workers|web)\//.test(path)).toSorted();
    expect(kinds).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'dist/THIRD-PARTY-LICENSES.txt',
      'dist/client.d.ts',
      'dist/client.js',
      'dist/engine.d.ts',
      'dist/engine.js',
      'dist/main.js',
      'dist/server.cjs',
      ...[
        'answer-with-citation',
        'build-and-check-a-sheet',
        'change-a-note',
        'file-and-tag',
        'remember',
        'take-back',
      ].map((name) => `dist/skills/${name}/SKILL.md`),
      ...['bridge.js', 'chart.js', 'diff.js', 'grid.js', 'passages.js', 'view.css'].map((name) => `dist/views/${name}`),
      'npm-shrinkwrap.json',
      'package.json',
      'scripts/sheaf.mjs',
    ]);
    expect(paths).toContain('dist/web/index.html');
    expect(paths).toContain('dist/workers/sheet.js');
    expect(paths.filter((path) => /\.(map|compiled)$|(^|\/)\.|test/.test(path))).toEqual([]);
  });

  test('the command can be executed, here and there', async () => {
    expect(packed.files.find(({ path }) => path === 'scripts/sheaf.mjs')!.mode).toBe('-rwxr-xr-x');
    expect((await stat(join(root, 'tools', 'sheaf.mjs'))).mode & 0o111).toBe(0o111);
  });

  test('nothing tells where it was made', async () => {
    const telling: string[] = [];
    for (const file of await filesBelow(unpacked))
      if ((await readFile(file, 'latin1')).includes(root.replace(/\/$/, ''))) telling.push(file);
    expect(telling).toEqual([]);
  });

  test('only what the last build made', async () => {
    const named = async (folder: string) => (await readdir(join(unpacked, 'dist', folder))).length;
    const { files } = (await json(join(root, 'dist', '.built'))) as { files: string[] };
    expect(await named('chunks')).toBe(files.filter((file) => /^chunks\/.*\.js$/.test(file)).length);
  });

  test('whose parts are in it, with their licenses', async () => {
    const text = await readFile(join(unpacked, 'dist', 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    for (const name of ['fastify', 'zod', 're2js', 'react', 'echarts', '@tiptap/core'])
      expect(text).toMatch(new RegExp(`^${name} \\d[^\n]* \\((MIT|Apache-2\\.0)\\)\n\n.{20}`, 'ms'));
  });

  test('the clone is left without a lock file of the other kind', async () => {
    expect((await readdir(root)).filter((name) => name === 'npm-shrinkwrap.json')).toEqual([]);
  });

  test('publint has nothing to say', async () => {
    const { messages } = await publint({ pkgDir: unpacked, pack: false, strict: true });
    expect(messages).toEqual([]);
  });

  test('are the types wrong? no, wherever modules can be imported at all', { timeout: patience }, async () => {
    const result = await checkPackage(createPackageFromTarballData(await readFile(packed.tarball)));
    if (!result.types) throw new Error('the package has no types');
    expect(Object.keys(result.entrypoints).toSorted()).toEqual(['./client', './engine', './package.json']);
    // Both entries are ESM only, and node10 resolution does not support `exports`.
    const problems = result.problems.filter(
      (problem) =>
        !(problem.kind === 'CJSResolvesToESM' || ('resolutionKind' in problem && problem.resolutionKind === 'node10')),
    );
    expect(problems).toEqual([]);
  });
});

describe('[finding C10] the lock file for installers', () => {
  interface Lock {
    packages: Record<string, { version: string; dev?: boolean; resolved?: string; engines?: { node?: string } }>;
  }

  test('has no addresses, and nothing that only building or testing needs', async () => {
    const lock = (await json(join(unpacked, 'npm-shrinkwrap.json'))) as Lock;
    const own = (await json(join(root, 'package-lock.json'))) as Lock;
    const names = Object.keys(lock.packages);
    expect(names).toEqual(expect.arrayContaining(['node_modules/pg', 'node_modules/@photostructure/sqlite']));
    for (const name of names.slice(1))
      expect([name, lock.packages[name]!.version]).toEqual([name, own.packages[name]!.version]);
    for (const name of ['vitest', 'react', 'fastify', 'tesseract.js'])
      expect(names).not.toContain(`node_modules/${name}`);
    expect(JSON.stringify(lock)).not.toMatch(/"(resolved|dev|devDependencies)"/);
  });

  test(
    'installs by itself, on this Node, strictly, and without running anything',
    async () => {
      const lock = (await json(join(unpacked, 'npm-shrinkwrap.json'))) as Lock;
      const folder = await installLocked(lock);
      const { packages } = (await json(join(folder, 'node_modules', '.package-lock.json'))) as Lock;
      for (const [name, { version }] of Object.entries(packages))
        expect([name, version]).toEqual([name, lock.packages[name]?.version]);
      expect(Object.keys(packages)).toContain('node_modules/@photostructure/sqlite');
    },
    patience,
  );
});

describe('[finding C10] installed into an empty folder', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await install(packed.tarball);
    for (const name of ['program.ts', 'call.mjs']) await copyFile(join(consumer, name), join(folder, name));
  }, patience);

  test.each([
    ['nodenext', { module: 'nodenext', types: ['node'] }],
    ['bundler', { module: 'preserve', moduleResolution: 'bundler', lib: ['es2023', 'dom'], types: ['node'] }],
  ])(
    'a strict program type-checks with %s resolution',
    async (name, options) => {
      const strict = {
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        skipLibCheck: false,
        noEmit: true,
      };
      const config = {
        compilerOptions: {
          target: 'es2023',
          lib: ['es2023'],
          typeRoots: [join(root, 'node_modules', '@types')],
          ...strict,
          ...options,
        },
        files: ['program.ts'],
      };
      await writeFile(join(folder, `tsconfig.${name}.json`), JSON.stringify(config));
      expect(await runTool('tsc', ['-p', `tsconfig.${name}.json`], folder)).toEqual({ code: 0, output: '' });
    },
    patience,
  );

  test(
    'npx sheaf serves; the client calls; a signal to npx stops it; the package itself is left alone',
    async () => {
      const data = await temporaryFolder();
      const cache = await temporaryFolder();
      const before = await filesBelow(join(folder, 'node_modules', 'sheaf'));
      const server = await serve(folder, ['serve'], { SHEAF_DATA: data, XDG_CACHE_HOME: cache });
      const page = await fetch(server.url, { headers: { accept: 'text/html' } });
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<div id="root">') as string]);
      const said = await npm(folder, 'exec', '--', 'node', 'call.mjs', data);
      const { engine, ...answers } = JSON.parse(said) as { engine: string[] };
      expect(answers).toEqual({
        content: 'Pears\n\nare green',
        code: 210001,
        kilos: 6,
        picture: expect.arrayContaining(['content']) as string[],
      });
      expect(engine).toEqual(await exportedValues('engine'));
      await server.stop();
      expect(await filesBelow(join(folder, 'node_modules', 'sheaf'))).toEqual(before);
    },
    patience,
  );

  test(
    'a model for search by meaning needs a package that is named, not brought along',
    async () => {
      const line = 'npm install onnxruntime-web@1.30';
      await expect(npm(folder, 'exec', '--', 'sheaf', 'model', 'add', '.')).rejects.toThrow(line);
    },
    patience,
  );

  test(
    'no argument means serve; what V8 compiled is kept for the next start, where it can be',
    async () => {
      const data = await temporaryFolder();
      const cache = await temporaryFolder();
      const kept = async () =>
        Promise.all(
          (await filesBelow(cache)).map(async (file) => ({
            file,
            at: (await stat(file)).mtimeMs,
            mode: (await stat(file)).mode & 0o777,
          })),
        );
      await (await serve(folder, [], { SHEAF_DATA: data, XDG_CACHE_HOME: cache })).stop();
      const first = await kept();
      expect(first).toEqual([
        {
          file: expect.stringMatching(/\/sheaf\/server\.cjs\.\w+\.v\d+\.\d+\.\d+-\w+\.compiled$/) as string,
          at: expect.any(Number) as number,
          mode: 0o600,
        },
      ]);
      await (await serve(folder, [], { SHEAF_DATA: data, XDG_CACHE_HOME: cache })).stop();
      expect(await kept()).toEqual(first);
      await writeFile(join(data, 'a-file'), '');
      await (await serve(folder, [], { SHEAF_DATA: data, XDG_CACHE_HOME: join(data, 'a-file') })).stop();
    },
    patience,
  );
});

/** Returns the exported values (not types) listed in the API report. */
async function exportedValues(entry: string): Promise<string[]> {
  const report = await readFile(join(root, 'docs', 'api', `${entry}.d.ts`), 'utf8');
  const declared = [...report.matchAll(/^export declare (?:const|let|class|function) (\w+)/gm)].map(
    (match) => match[1]!,
  );
  const listed =
    /^export \{([^}]*)\};$/m
      .exec(report)?.[1]
      ?.split(',')
      .filter((one) => !/^\s*(type |$)/.test(one)) ?? [];
  return [...new Set([...declared, ...listed.map((one) => one.trim().split(' ').at(-1)!)])].toSorted();
}

const started: ChildProcess[] = [];
afterAll(() => started.forEach((child) => child.kill('SIGTERM')));

async function serve(
  folder: string,
  args: string[],
  env: Record<string, string>,
): Promise<{ url: string; stop(): Promise<void> }> {
  await mkdir(env['SHEAF_DATA']!, { recursive: true });
  const settings = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    SHEAF_PORT: '0',
    SHEAF_LOG_LEVEL: 'error',
    ...env,
  };
  const child = spawn('npx', ['--no-install', 'sheaf', ...args], {
    cwd: folder,
    env: settings,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(child);
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const found = /^sheaf is ready at (http:\/\/\S+)$/m.exec(output);
      if (found) resolve(found[1]!);
    });
    child.once('exit', (code) => reject(new Error(`npx ended with ${code}: ${output}`)));
  });
  return {
    url,
    async stop() {
      child.removeAllListeners('exit');
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
      await expect
        .poll(
          () =>
            fetch(`${url}/healthz`).then(
              (response) => response.status,
              () => 'gone',
            ),
          { timeout: 20_000 },
        )
        .toBe('gone');
    },
  };
}
