/** What only the built product can get wrong: the other suites run from the sources. */
import { spawnSync } from 'node:child_process';
import { chmod, copyFile, readFile, readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ParserPool } from '../src/adapters/parse/parser-pool.ts';
import { callable, type Callable } from '@sheaf/tools/testing/call-client.ts';
import { killServer, startKillableServer, type KillableServer } from '@sheaf/tools/testing/killable-server.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';

const loader = pathToFileURL('dist/main.js').href;
const texts = ['São Paulo', 'château de sable', 'coração', 'Âge tendre', 'the green pear', 'the pear is green'];

describe('the built parser', () => {
  test('has the packages that it bundles: charsets are guessed, the readable part of a page is found', async () => {
    const pool = new ParserPool({ script: resolve('dist/workers/formats.js'), size: 1, timeoutMs: 20_000 });
    try {
      const hello = Buffer.from('cff0e8e2e5f22c20fdf2ee20f2e5eaf1f220ede020f0f3f1f1eaeeec20ffe7fbeae52e', 'hex');
      const { text } = await pool.parse(hello, { kind: 'text' });
      expect(text).toBe('Привет, это текст на русском языке.');
      const article = '<p>A sentence of ordinary words that fills the page with something to read.</p>'.repeat(20);
      const page = `<body><nav>Shop Login</nav><article><h1>Fruit</h1>${article}</article></body>`;
      const readable = await pool.parse(Buffer.from(page), { kind: 'html', article: true });
      expect(readable.text).toContain('ordinary words');
      expect(readable.text).not.toContain('Shop Login');
    } finally {
      await pool.close();
    }
  });
});

describe('the built server', () => {
  let running: KillableServer;
  let server: Callable;
  beforeAll(async () => {
    const folder = await temporaryFolder();
    running = await startKillableServer(folder);
    const stored = JSON.parse(await readFile(join(folder, 'credentials.json'), 'utf8')) as Record<string, string>;
    server = callable(running.url, { userId: '', clientId: stored['client_id']!, apiKey: stored['api_key']! });
    for (const text of texts) {
      const made = await server.call('http', 'note', 'import_doc', { content_format: 1, content: text });
      expect(made.code).toBe(0);
    }
  });
  afterAll(() => running && killServer(running));

  async function titles(query: string): Promise<string[]> {
    const query_info = { content: query };
    const input = { search_type: 1, query_info, start: 0, end: 20 };
    const { code, data } = await server.call('http', 'note', 'search_note', input);
    expect(code).toBe(0);
    type Hit = { note_book_info: { title: string } };
    return data.search_note_infos.map((hit: Hit) => hit.note_book_info.title).sort();
  }

  test.each([
    ['São Paulo', ['São Paulo']],
    ['château', ['château de sable']],
    ['coração', ['coração']],
    ['Âge', ['Âge tendre']],
    ['“green pear”', ['the green pear']],
    ['«green pear»', ['the green pear']],
    ['green pear', ['the green pear', 'the pear is green']],
  ])('[finding S1] a search for %s finds %j', async (query, expected) => {
    // The index follows within a second.
    for (let turn = 0; turn < 200 && (await titles('sable')).length + (await titles('is green')).length < 2; turn++) {
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    expect(await titles(query)).toEqual(expected);
  });
});

test('[finding S1] the bundle is pure ASCII, so that it is read fast', async () => {
  const bytes = await readFile('dist/server.cjs');
  expect(bytes.findIndex((byte) => byte > 127)).toBe(-1);
});

test('[finding S1] the loader reads a bundle that is not ASCII as UTF-8', async () => {
  const file = join(await temporaryFolder(), 'other.cjs');
  await writeFile(file, 'exports.length = "“é梨”".length; exports.matches = /^[“]/u.test("“x");');
  const program = `import(${JSON.stringify(loader)}).then(({ load }) => console.log(JSON.stringify(load(${JSON.stringify(file)}).exports)))`;
  const { stdout } = spawnSync(process.execPath, ['--eval', program], { encoding: 'utf8' });
  expect(JSON.parse(stdout)).toEqual({ length: 4, matches: true });
});

test('[finding C10] what V8 compiled at an earlier start is used, unless somebody else could have written it', async () => {
  const [folder, cache] = [await temporaryFolder(), await temporaryFolder()];
  await copyFile('dist/main.js', join(folder, 'main.mjs'));
  await writeFile(join(folder, 'server.cjs'), '// 0a1b2c\nexports.main = () => "ran";');
  const program = `
    const { load, main } = await import(${JSON.stringify(pathToFileURL(join(folder, 'main.mjs')).href)});
    console.log(load(${JSON.stringify(join(folder, 'server.cjs'))}).isCompiled, main([]));`;
  const start = () =>
    spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
      encoding: 'utf8',
      env: { XDG_CACHE_HOME: cache },
    }).stdout;
  expect(start()).toBe('false ran\n');
  expect(start()).toBe('true ran\n');
  const [kept] = await readdir(join(cache, 'sheaf'));
  await chmod(join(cache, 'sheaf', kept!), 0o666);
  expect(start()).toBe('false ran\n');
  expect(start()).toBe('true ran\n');
  await chmod(join(cache, 'sheaf'), 0o777);
  expect(start()).toBe('false ran\n');
  expect(start()).toBe('false ran\n');
});

test('[finding S1] making a script ASCII keeps what it means, and leaves tagged templates alone', async () => {
  const folder = await temporaryFolder();
  const ascii = pathToFileURL('tools/escape-non-ascii.mjs').href;
  const scripts = {
    patterns: { text: 'exports.found = /^[“😀]$/u.test("\\u{1f600}") && /[é]/.test("\\xe9");', isAscii: true },
    template: { text: 'exports.found = String.raw`é` === "\\u00e9";', isAscii: false },
  };
  for (const [name, { text, isAscii }] of Object.entries(scripts)) {
    const file = join(folder, `${name}.cjs`);
    await writeFile(file, text);
    const program = `
      const { toAscii } = await import(${JSON.stringify(ascii)});
      await toAscii(${JSON.stringify(file)});
      const { load } = await import(${JSON.stringify(loader)});
      console.log(load(${JSON.stringify(file)}).exports.found);`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
    expect([name, stdout]).toEqual([name, 'true\n']);
    const written = await readFile(file, 'utf8');
    expect([name, /^[\0-\x7f]*$/.test(written)]).toEqual([name, isAscii]);
  }
});
