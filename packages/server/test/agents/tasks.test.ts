import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { encryptAgile } from '@sheaf/tools/testing/formats/agile-encryption.ts';
import { oneLinePdf } from '@sheaf/tools/testing/one-line-pdf.ts';
import { startServer, type Key, type TestServer } from '@sheaf/tools/testing/test-server.ts';

/**
 * Twenty tasks that a person gives to an agent, done with the tools that the core list has and with what find_tools finds.
 * A tool that is not in the core list is looked for first, by words of the task, and called by call_read_tool or call_tool.
 */
let server: TestServer;
let owner: Key;
let core: Set<string>;
let calls = 0;

async function rpc(method: string, params: object): Promise<any> {
  const response = await fetch(`${server.url}/mcp?tools=core`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${owner.apiKey}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return ((await response.json()) as any).result;
}

async function call(name: string, args: object): Promise<any> {
  calls++;
  expect(core, name).toContain(name);
  const result = await rpc('tools/call', { name, arguments: args });
  expect(result.isError, `${name}: ${JSON.stringify(result.content)}`).toBeUndefined();
  return result.structuredContent;
}

/** Looks for tools by words; each of the names must be among the five that are found. */
async function find(query: string, ...names: string[]): Promise<void> {
  const found = (await call('find_tools', { query })).tools.map((one: any) => one.name);
  for (const name of names) expect(found, query).toContain(name);
}

const read = (name: string, args: object): Promise<any> => call('call_read_tool', { name, arguments: args });
const write = (name: string, args: object): Promise<any> => call('call_tool', { name, arguments: args });

const made: Record<string, string> = {};

/** Prepares the workspace; these calls are not the agent's. */
async function prepare(): Promise<void> {
  const done = async (name: string, input: object): Promise<any> => {
    const [module, operation] = name.split('.') as [string, string];
    const { code, msg, data } = await server.call('http', module, operation, input);
    expect([name, code, msg]).toEqual([name, 0, 'success']);
    return data;
  };
  const note = async (content: string): Promise<string> =>
    (await done('note.import_doc', { content_format: 1, content })).note_id;
  const base = (await done('wiki.create_knowledge_base', { name: 'Purchasing' })).knowledge_base_id;
  const file = async (name: string, text: string, more: object = {}): Promise<string> =>
    (await done('wiki.upload_knowledge', { knowledge_base_id: base, file_name: name, text, ...more })).media_id;
  made['policy'] = await file(
    'policy.md',
    '# Refund policy\n\n## Opened goods\n\nOpened goods are refunded within 30 days.',
  );
  await file('velox-1.txt', 'Offer of Velox for masts');
  await file('velox-2.txt', 'Offer of Velox for masts');
  made['report'] = await file('report.md', `# Report 2026\n\n${'The harbour grew in spring. '.repeat(40)}`);
  const pdf = oneLinePdf('The harbour grew in spring');
  made['pdf'] = (
    await done('wiki.upload_knowledge', {
      knowledge_base_id: base,
      file_name: 'harbour.pdf',
      content: pdf.toString('base64'),
    })
  ).media_id;
  await file('chinese.md', '# 预算\n\n年度预算由财务委员会在三月批准。');
  await done('wiki.add_tag', { media_id: made['report'], tags: ['review'] });
  made['supplier'] = await note('# Supplier Velox\n\nMasts and sails. #review');
  made['meeting'] = await note('# Meetings\n\n- [ ] call Velox\n\nSee [[Supplier Velox]].');
  await done('note.append_doc', { note_id: made['meeting'], content_format: 1, content: 'Second day.' });
  const sheet = await done('manage.create_file', { title: 'Velox orders' });
  made['sheet'] = sheet.file_id;
  await done('sheet.write', {
    file_id: sheet.file_id,
    range: 'A1',
    rows: [
      ['region', 'item', 'amount'],
      ['north', 'mast', 120],
      ['south', 'sail', 80],
      ['north', 'sail', 60],
    ],
  });
  const workbook = await done('manage.export_file', { file_id: sheet.file_id, format: 'xlsx' });
  await done('wiki.upload_knowledge', { knowledge_base_id: base, file_name: 'Stock.xlsx', content: workbook.content });
  made['closed'] = Buffer.from(encryptAgile(Buffer.from(workbook.content, 'base64'), 'secret')).toString('base64');
  for (const name of ['Old', 'New']) await done('wiki.create_folder', { knowledge_base_id: base, name });
  made['base'] = base;
  made['colleague'] = (await server.newUser()).userId;
  const items = [made['policy'], made['report'], made['pdf']];
  await done('wiki.get_knowledge_state', { media_ids: items, wait_seconds: 30 });
  await vi.waitFor(
    async () => {
      const found = await done('wiki.search_all', { query: 'velox' });
      expect(found.info_list.length).toBeGreaterThanOrEqual(5);
    },
    { timeout: 20_000, interval: 100 },
  );
}

beforeAll(async () => {
  server = await startServer({ database: 'sqlite', config: { SHEAF_FETCH_ALLOW: ['127.0.0.1'] } });
  owner = server.owner;
  core = new Set((await rpc('tools/list', {})).tools.map((tool: any) => tool.name));
  await prepare();
}, 120_000);
afterAll(() => server.close());

const tasks: [number, string, () => Promise<void>][] = [
  [
    1,
    'What does our refund policy say; cite the page',
    async () => {
      const { passages, documents } = await call('wiki_search_passages', { query: 'what does the refund policy say' });
      expect(passages.map((one: any) => one.text.replaceAll(/<\/?em>/g, '')).join('\n')).toContain('30 days');
      expect(documents[passages[0].document].link).toContain(made['policy']);
    },
  ],
  [
    3,
    'Find everything about a supplier over bases, notes, sheets',
    async () => {
      const { info_list: found } = await call('wiki_search_all', { query: 'Velox', passages: true });
      expect(new Set(found.map((one: any) => one.kind))).toEqual(new Set(['knowledge', 'note', 'sheet']));
    },
  ],
  [
    5,
    'Which notes have open tasks',
    async () => {
      await find('which notes have open tasks', 'note_list_tasks');
      expect((await read('note_list_tasks', {})).tasks[0].text).toContain('call Velox');
    },
  ],
  [
    7,
    'Compare two versions of a note',
    async () => {
      await find('compare two versions of a note', 'note_diff_note');
      const { diff } = await read('note_diff_note', { note_id: made['meeting'] });
      expect(diff).toContain('+Second day.');
    },
  ],
  [
    9,
    'Add this web page',
    async () => {
      const { info_list: bases } = await call('wiki_search_knowledge_base', {
        query: 'Purchasing',
        cursor: '',
        limit: 5,
      });
      const { results } = await call('wiki_import_urls', {
        knowledge_base_id: bases[0].id,
        urls: [`${server.url}/skills/remember/SKILL.md`],
      });
      expect(Object.keys(results)).toHaveLength(1);
    },
  ],
  [
    11,
    'Share a sheet with a colleague read only, then by public link, then end it',
    async () => {
      await find('share a spreadsheet with a colleague', 'sharing_share');
      await write('sharing_share', { kind: 'sheet', id: made['sheet'], user_id: made['colleague'], role: 'read' });
      await find('create and end a public link', 'manage_create_public_link', 'manage_end_public_link');
      const { link } = await write('manage_create_public_link', { file_id: made['sheet'] });
      await write('manage_end_public_link', { file_id: made['sheet'], link_id: link.link_id });
    },
  ],
  [
    13,
    'Append my meeting notes daily without doubling on a retry',
    async () => {
      const append = { note_id: made['meeting'], content_format: 1, content: 'Third day.', idempotency_key: 'day-3' };
      await call('note_append_doc', append);
      await call('note_append_doc', append);
      const { notes } = await call('note_read_note', { note_id: made['meeting'] });
      expect(notes[0].content.match(/Third day/g)).toHaveLength(1);
    },
  ],
  [
    15,
    'Export the report and file it in a base',
    async () => {
      const filed = await call('wiki_upload_knowledge', {
        knowledge_base_id: made['base'],
        file_name: 'Velox orders.xlsx',
        file_id: made['sheet'],
      });
      expect(filed.media_id).toMatch(/^media_/);
    },
  ],
  [
    17,
    'Find duplicates among files',
    async () => {
      await find('find duplicates among files', 'wiki_find_duplicates');
      const { duplicates } = await read('wiki_find_duplicates', { knowledge_base_id: made['base'] });
      expect(duplicates.some((one: any) => one.files.length === 2)).toBe(true);
    },
  ],
  [
    19,
    'Rename a base, reorder its folders, delete one, restore it',
    async () => {
      await find('rename a knowledge base', 'wiki_update_knowledge_base');
      await write('wiki_update_knowledge_base', { knowledge_base_id: made['base'], name: 'Buying' });
      await find('pin a folder to the top, list folders', 'wiki_set_knowledge_top');
      const { knowledge_list: top } = await read('wiki_get_knowledge_list', {
        cursor: '',
        limit: 50,
        knowledge_base_id: made['base'],
      });
      const folder = top.find((one: any) => one.name === 'Old').folder_id;
      await write('wiki_set_knowledge_top', { knowledge_base_id: made['base'], folder_id: folder, is_top: true });
      await find('delete and restore folders', 'wiki_delete_knowledge', 'wiki_restore_knowledge');
      await write('wiki_delete_knowledge', { knowledge_base_id: made['base'], media_ids: [folder] });
      await write('wiki_restore_knowledge', { knowledge_base_id: made['base'], media_ids: [folder] });
    },
  ],
  [
    21,
    'A question in Chinese over everything',
    async () => {
      const { passages } = await call('wiki_search_passages', { query: '年度预算由谁批准' });
      expect(passages[0].text.replaceAll(/<\/?em>/g, '')).toContain('财务委员会');
    },
  ],
  [
    23,
    'Which notes link to [[Supplier Velox]]',
    async () => {
      await find('which notes link to this note', 'note_backlinks');
      const { links } = await read('note_backlinks', { id: made['supplier'] });
      expect(links[0].note_id).toBe(made['meeting']);
    },
  ],
  [
    25,
    'Put a note in a base and keep it fresh',
    async () => {
      await find('add a note to a knowledge base', 'wiki_add_knowledge');
      await write('wiki_add_knowledge', {
        media_type: 11,
        title: 'Supplier Velox',
        knowledge_base_id: made['base'],
        note_info: { content_id: made['supplier'] },
      });
    },
  ],
  [
    27,
    'Open a password-protected file',
    async () => {
      const { media_id: id } = await call('wiki_upload_knowledge', {
        knowledge_base_id: made['base'],
        file_name: 'closed.xlsx',
        content: made['closed'],
        password: 'secret',
      });
      await find('is the uploaded file ready', 'wiki_get_knowledge_state');
      await read('wiki_get_knowledge_state', { media_ids: [id], wait_seconds: 20 });
      expect((await call('wiki_get_knowledge_content', { media_id: id })).content).toContain('mast');
    },
  ],
  [
    29,
    'Add a row to the sheet',
    async () => {
      await call('sheet_append_rows', { file_id: made['sheet'], rows: [['east', 'mast', 10]] });
    },
  ],
  [
    31,
    'Pivot by region',
    async () => {
      const { rows } = await call('sheet_query', {
        file_id: made['sheet'],
        query: 'select region, sum(amount) from Sheet1 group by region order by region',
      });
      expect(JSON.stringify(rows)).toContain('180');
    },
  ],
  [
    33,
    'Everything tagged review',
    async () => {
      await find('everything with the tag review', 'wiki_list_tags');
      const { entries } = await read('wiki_list_tags', { tag: 'review' });
      expect(entries.map((one: any) => one.kind).sort()).toEqual(['knowledge', 'note']);
    },
  ],
  [
    35,
    'Summarise a PDF',
    async () => {
      const { content } = await call('wiki_get_knowledge_content', { media_id: made['pdf'] });
      expect(content).toContain('The harbour grew');
    },
  ],
  [
    37,
    'What did you change today',
    async () => {
      const { changes } = await call('account_list_changes', { by: 'app' });
      expect(changes.length).toBeGreaterThan(5);
      expect(changes.every((one: any) => one.title !== '' && one.url !== '')).toBe(true);
    },
  ],
  [
    39,
    'Make a workbook of a base an editable sheet',
    async () => {
      const { info_list: found } = await call('wiki_search_all', { query: 'Stock', kinds: ['knowledge'] });
      const { file_id: file } = await call('manage_import_file', { title: 'Stock', media_id: found[0].id });
      expect(file).toMatch(/^doc_/);
    },
  ],
];

describe('[finding G12] twenty tasks with core tools and find_tools', () => {
  const used: string[] = [];

  test.each(tasks)('%i: %s', async (number, _title, run) => {
    const before = calls;
    await run();
    used.push(`${number}: ${calls - before}`);
  });

  test('take at most 55 calls altogether', () => {
    console.log(`${calls} calls (${used.join(', ')})`);
    expect(used).toHaveLength(20);
    expect(calls).toBeLessThanOrEqual(55);
  });
});
