import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { callable, type Callable } from '@sheaf/tools/testing/call-client.ts';
import { killServer, startKillableServer, type KillableServer } from '@sheaf/tools/testing/killable-server.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';

const script = fileURLToPath(new URL('../../../../tools/sheaf.mjs', import.meta.url));
const run = promisify(execFile);

interface Installation extends Callable {
  running: KillableServer;
  env: Record<string, string>;
}

async function install(): Promise<Installation> {
  const folder = await temporaryFolder();
  const running = await startKillableServer(folder);
  const stored = JSON.parse(await readFile(join(folder, 'credentials.json'), 'utf8')) as Record<string, string>;
  const key = { userId: stored['user_id']!, clientId: stored['client_id']!, apiKey: stored['api_key']! };
  const env = { SHEAF_URL: running.url, SHEAF_CLIENT_ID: key.clientId, SHEAF_API_KEY: key.apiKey };
  return { ...callable(running.url, key), running, env };
}

async function write(root: string, files: Record<string, string | Uint8Array>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
}

let target: Installation;
let state: string;

beforeAll(async () => {
  target = await install();
});
afterAll(() => killServer(target.running));
beforeEach(async () => {
  state = await temporaryFolder();
});

const environment = (extra: Record<string, string> = {}): Record<string, string> => ({
  PATH: process.env['PATH']!,
  HOME: state,
  XDG_STATE_HOME: state,
  ...target.env,
  ...extra,
});
const sheaf = async (args: string[], extra: Record<string, string> = {}) => {
  try {
    const { stdout, stderr } = await run(process.execPath, [script, ...args], { env: environment(extra) });
    return { code: 0, stdout, stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, stdout, stderr };
  }
};
const done = async (server: Callable, operation: string, input: object): Promise<any> => {
  const [module, name] = operation.split('.') as [string, string];
  const answer = await server.call('http', module, name, input);
  expect([operation, answer.code, answer.msg]).toEqual([operation, 0, 'success']);
  return answer.data;
};
/** Titles of all notes with the names of their notebooks. */
const notesOf = async (server: Callable): Promise<any[]> => {
  const notes: any[] = [];
  for (let cursor = ''; ;) {
    const page = await done(server, 'note.list_note', { cursor, limit: 20, sort_type: 2 });
    notes.push(...page.note_book_list);
    if (page.is_end) return notes;
    cursor = page.next_cursor;
  }
};
const inNotebook = async (server: Callable, name: string): Promise<any[]> =>
  (await notesOf(server)).filter((note) => note.note_ext_info.folder_name === name);
const textOf = async (server: Callable, noteId: string): Promise<string> =>
  (await done(server, 'note.export_note', { note_id: noteId, format: 'markdown' })).content;
const baseNamed = async (server: Callable, name: string): Promise<string> => {
  const { info_list } = await done(server, 'wiki.search_knowledge_base', { query: name, cursor: '', limit: 20 });
  const found = info_list.filter((one: { name: string }) => one.name === name);
  expect(found.length).toBe(1);
  return found[0].id;
};
const listed = async (server: Callable, base: string, folder?: string): Promise<any[]> =>
  (
    await done(server, 'wiki.get_knowledge_list', {
      cursor: '',
      limit: 50,
      knowledge_base_id: base,
      ...(folder === undefined ? {} : { folder_id: folder }),
    })
  ).knowledge_list;

describe('sheaf import folder', { timeout: 120_000 }, () => {
  test('a vault becomes notes in notebooks and files in a base, and links lead to them', async () => {
    const vault = join(await temporaryFolder(), 'Garden');
    await write(vault, {
      'Start.md':
        'See [[Plants/Fern|the fern]], [[Moss]], [list](Plants/List%20of.md) and ![[plan.txt]].\n\n`[[Fern]]`\n',
      'Plants/Fern.md': '# Fern\n\nBack to [[Start]], a [picture](../Attached/leaf.txt), [[Nowhere]].\n',
      'Plants/Moss.markdown': '```\n[[Fern]]\n```\n',
      'Plants/List of.md': '',
      'Attached/leaf.txt': 'a leaf',
      'plan.txt': 'a plan',
      'tool.exe': 'MZ',
      '.obsidian/app.json': '{}',
    });
    const first = await sheaf(['import', 'folder', vault]);
    expect(first.stdout).toMatch(/imported: 2 files, 4 notes, 1 notes linked|imported: 2 files, 4 notes/);
    expect(first.stdout).toMatch(/not imported: tool\.exe: /);
    expect(first.code).toBe(1);
    const notes = [...(await inNotebook(target, 'Garden')), ...(await inNotebook(target, 'Plants'))];
    const id = (title: string): string => notes.find((note) => note.title === title).note_id;
    expect(notes.map((note) => note.title).toSorted()).toEqual(['Fern', 'List of', 'Moss', 'Start']);
    const base = await baseNamed(target, 'Garden');
    const items = await listed(target, base);
    const plan = items.find((item) => item.title === 'plan.txt').media_id;
    const attached = await listed(target, base, items.find((item) => item.name === 'Attached').folder_id);
    expect(await textOf(target, id('Start'))).toBe(
      `See [the fern](/notes/${id('Fern')}), [Moss](/notes/${id('Moss')}), [list](/notes/${id('List of')}) and ` +
        `[plan.txt](/wiki/${base}/item/${plan}).\n\n\`[[Fern]]\`\n`,
    );
    expect(await textOf(target, id('Fern'))).toBe(
      `# Fern\n\nBack to [Start](/notes/${id('Start')}), a [picture](/wiki/${base}/item/${attached[0].media_id}), [[Nowhere]].\n`,
    );
    expect(await textOf(target, id('Moss'))).toBe('```\n[[Fern]]\n```\n');

    // Again: nothing twice. A file that changed is a new version; a note that was changed here too is left alone.
    await write(vault, { 'Plants/Moss.markdown': 'Moss grows.\n', 'Plants/Fern.md': '# Fern\n\nOther.\n' });
    await done(target, 'note.update_note', { note_id: id('Fern'), content: 'changed here' });
    const second = await sheaf(['import', 'folder', vault]);
    expect(second.stdout).toContain('2 files already there');
    expect(second.stdout).toContain('2 notes already there');
    expect(second.stdout).toContain('1 notes brought up to date');
    expect(second.stdout).toContain('Plants/Fern.md: it was changed in both places');
    expect(
      (await notesOf(target)).filter((note) => ['Garden', 'Plants'].includes(note.note_ext_info.folder_name)).length,
    ).toBe(4);
    expect(await textOf(target, id('Moss'))).toBe('Moss grows.\n');
    expect(await textOf(target, id('Fern'))).toBe('changed here');
    expect((await listed(target, base)).length).toBe(2);
  });

  test('[T87] symbolic links are not followed, and keys are taken from the environment alone', async () => {
    const outside = await temporaryFolder();
    await write(outside, { 'secret.md': 'do not read me', 'inner/also.md': 'nor me' });
    const vault = join(await temporaryFolder(), 'Linked');
    await write(vault, { 'own.md': 'mine' });
    await symlink(join(outside, 'secret.md'), join(vault, 'secret.md'));
    await symlink(join(outside, 'inner'), join(vault, 'inner'));
    const { stdout, code } = await sheaf(['import', 'folder', vault]);
    expect(code).toBe(0);
    expect(stdout).toContain('not imported: inner: symbolic links are not followed');
    expect(stdout).toContain('not imported: secret.md: symbolic links are not followed');
    expect((await inNotebook(target, 'Linked')).map((note) => note.title)).toEqual(['own']);
    await symlink(vault, join(outside, 'vault'));
    const linked = await sheaf(['import', 'folder', join(outside, 'vault')]);
    expect([linked.code, linked.stderr]).toEqual([2, expect.stringContaining('is a symbolic link')]);
    const withKey = await sheaf(['import', 'ima', '--api-key', 'sk_x']);
    expect([withKey.code, withKey.stderr]).toEqual([2, expect.stringContaining('keys are read from the environment')]);
    expect((await sheaf(['import', 'ima'])).stderr).toContain('SHEAF_IMPORT_URL, SHEAF_IMPORT_CLIENT_ID');
  });

  test('[T87] an import that is killed goes on where it was, and nothing is there twice', async () => {
    const vault = join(await temporaryFolder(), 'Many');
    const names = Array.from({ length: 120 }, (_, n) => `note ${String(n).padStart(3, '0')}`);
    await write(vault, Object.fromEntries(names.map((name, n) => [`${name}.md`, `[[${names[(n + 1) % 120]}]]`])));
    const child = spawn(process.execPath, [script, 'import', 'folder', vault], { env: environment(), stdio: 'pipe' });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('notes 51/120')) child.kill('SIGKILL');
    });
    await once(child, 'exit');
    const before = (await inNotebook(target, 'Many')).length;
    expect(before).toBeGreaterThan(49);
    expect(before).toBeLessThan(120);
    // What was sent and not noted: the last line is lost, as when the power fails.
    const folder = join(state, 'sheaf', 'imports');
    const ledger = join(folder, (await readdir(folder))[0]!);
    const lines = (await readFile(ledger, 'utf8')).trimEnd().split('\n');
    await writeFile(ledger, `${lines.slice(0, -1).join('\n')}\n${lines.at(-1)!.slice(0, 10)}`);
    const again = await sheaf(['import', 'folder', vault]);
    expect(again.code).toBe(0);
    const notes = await inNotebook(target, 'Many');
    expect(notes.map((note) => note.title).toSorted()).toEqual(names);
    const [first] = notes.filter((note) => note.title === names[0]);
    const next = notes.find((note) => note.title === names[1]);
    expect(await textOf(target, first.note_id)).toBe(`[${names[1]}](/notes/${next.note_id})`);
    expect((await sheaf(['import', 'folder', vault])).stdout).toContain('imported: 120 notes already there');
  });
});

describe('sheaf import ima', { timeout: 120_000 }, () => {
  let source: Installation;
  beforeAll(async () => {
    source = await install();
  }, 60_000);
  afterAll(() => killServer(source.running));

  test('[finding C15] bases, folders, files, pages and notes as Markdown come over once, also a file too large for one call', async () => {
    const notebook = (await done(source, 'note.add_notebook', { name: 'Old diary' })).folder.folder_id;
    const inner = (await done(source, 'note.add_notebook', { name: 'Inner', parent_folder_id: notebook })).folder
      .folder_id;
    for (let n = 0; n < 25; n++)
      await done(source, 'note.import_doc', {
        content_format: 1,
        content: `entry ${n}`,
        title: `Day ${n}`,
        folder_id: inner,
      });
    const { note_id } = await done(source, 'note.import_doc', {
      content_format: 1,
      content: 'loose **words**\n\n- in a list',
      title: 'Loose',
    });
    const { knowledge_base_id } = await done(source, 'wiki.create_knowledge_base', {
      name: 'Old base',
      description: 'From before',
      recommended_questions: ['Why?'],
    });
    const { folder_id } = await done(source, 'wiki.create_folder', { knowledge_base_id, name: 'Shelf' });
    const upload = async (file_name: string, bytes: Uint8Array, folder?: string) =>
      done(source, 'wiki.upload_knowledge', {
        knowledge_base_id,
        ...(folder === undefined ? {} : { folder_id: folder }),
        file_name,
        content: Buffer.from(bytes).toString('base64'),
      });
    await upload('words.txt', Buffer.from('some words'), folder_id);
    const large = Buffer.concat([Buffer.from('large text\n'), Buffer.alloc(7 * 2 ** 20, 'x\n')]);
    await upload('large.txt', large);
    await done(source, 'wiki.add_knowledge', {
      media_type: 11,
      title: 'Loose as item',
      knowledge_base_id,
      note_info: { content_id: note_id },
    });
    const keys = {
      SHEAF_IMPORT_URL: source.running.url,
      SHEAF_IMPORT_CLIENT_ID: source.env['SHEAF_CLIENT_ID']!,
      SHEAF_IMPORT_API_KEY: source.env['SHEAF_API_KEY']!,
    };
    const first = await sheaf(['import', 'ima'], keys);
    expect([first.code, first.stdout]).toEqual([0, expect.stringContaining('26 notes, 3 items')]);
    const base = await baseNamed(target, 'Old base');
    const { infos } = await done(target, 'wiki.get_knowledge_base', { ids: [base] });
    expect(infos[base]).toMatchObject({ description: 'From before', recommended_questions: ['Why?'] });
    const top = await listed(target, base);
    expect(top.map((entry) => entry.title).toSorted()).toEqual(['Loose as item', 'Shelf', 'large.txt']);
    const shelf = top.find((entry) => entry.name === 'Shelf').folder_id;
    expect(await listed(target, base, shelf)).toMatchObject([{ title: 'words.txt', media_type: 13, file_size: 10 }]);
    const { url_info } = await done(target, 'wiki.get_media_info', {
      media_id: top.find((entry) => entry.title === 'large.txt').media_id,
    });
    expect(Buffer.from(await (await fetch(url_info.url)).arrayBuffer()).equals(large)).toBe(true);
    const days = await inNotebook(target, 'Inner');
    expect(days.length).toBe(25);
    expect(await textOf(target, days.find((note) => note.title === 'Day 7').note_id)).toBe('entry 7');
    const loose = (await notesOf(target)).filter((note) => note.title === 'Loose');
    expect(loose.length).toBe(1);
    expect(await textOf(target, loose[0].note_id)).toBe('loose **words**\n\n- in a list');

    await upload('later.txt', Buffer.from('new since'));
    const again = await sheaf(['import', 'ima'], keys);
    expect(again.stdout).toContain('26 notes already there');
    expect(again.stdout).toMatch(/1 items\b/);
    expect((await listed(target, base)).length).toBe(4);
    expect((await inNotebook(target, 'Inner')).length).toBe(25);
    // What was read from is as it was.
    expect((await notesOf(source)).length).toBe(26);
  });

  test('[T87] a service cannot send the importer into its network, and its refusals are told', async () => {
    const { createServer } = await import('node:http');
    const reached: string[] = [];
    const inside = createServer((request, response) => {
      reached.push(request.url!);
      response.end('internal');
    });
    await new Promise<void>((resolve) => inside.listen(0, '::1', resolve));
    const port = (inside.address() as { port: number }).port;
    const answers: Record<string, object> = {
      list_notebook: { note_folder_infos: [], is_end: true, next_cursor: '' },
      list_note: { note_book_list: [], is_end: true },
      get_addable_knowledge_base_list: { addable_knowledge_base_list: [{ id: 'b1', name: 'Trap' }], is_end: true },
      search_knowledge_base: { info_list: [], is_end: true },
      get_knowledge_base: { infos: { b1: { id: 'b1', name: 'Trap' } } },
      get_knowledge_list: { knowledge_list: [{ media_id: 'm1', title: 'bait.txt' }], is_end: true },
      get_media_info: { media_type: 13, url_info: { url: `http://[::1]:${port}/inside.txt`, headers: {} } },
    };
    const service = createServer((request, response) => {
      const data = answers[request.url!.split('/').at(-1)!];
      request.resume();
      response.end(JSON.stringify({ code: 0, msg: 'success', data }));
    });
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    try {
      const { code, stdout } = await sheaf(['import', 'ima'], {
        SHEAF_IMPORT_URL: `http://127.0.0.1:${(service.address() as { port: number }).port}`,
        SHEAF_IMPORT_CLIENT_ID: 'c',
        SHEAF_IMPORT_API_KEY: 'k',
      });
      expect([code, stdout]).toEqual([
        1,
        expect.stringContaining('bait.txt: its original could not be fetched (private address)'),
      ]);
      expect(reached).toEqual([]);
    } finally {
      service.close();
      inside.close();
    }
  });
});
