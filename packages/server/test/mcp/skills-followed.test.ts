import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startServer, type TestServer } from '@sheaf/tools/testing/test-server.ts';

/**
 * Each skill, followed to the letter: the calls are those that its text shows, in its order, with what stands in capitals
 * replaced by what earlier answers gave. A call that the text does not show cannot be made.
 */
let server: TestServer;
let pages: Server;
let page: string;
beforeAll(async () => {
  server = await startServer({ database: 'sqlite', config: { SHEAF_FETCH_ALLOW: ['127.0.0.1'] } });
  pages = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(
      '<html><head><title>Masts</title></head><body><article><p>Masts of spruce.</p></article></body></html>',
    );
  });
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  page = `http://127.0.0.1:${(pages.address() as AddressInfo).port}/masts`;
});
afterAll(async () => {
  pages.close();
  await server.close();
});

interface ToolResult {
  readonly content: readonly { readonly type: string }[];
  readonly isError?: boolean;
  readonly structuredContent?: unknown;
}

async function rpc<Result>(method: string, params: object): Promise<Result> {
  const response = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${server.owner.apiKey}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return ((await response.json()) as { result: Result }).result;
}

/** Prepares the workspace; these calls are not the agent's. */
async function done(name: string, input: object): Promise<any> {
  const [module, operation] = name.split('.') as [string, string];
  const { code, msg, data } = await server.call('http', module, operation, input);
  expect([name, code, msg]).toEqual([name, 0, 'success']);
  return data;
}

const note = async (content: string): Promise<string> =>
  (await done('note.import_doc', { content_format: 1, content })).note_id;

class Followed {
  readonly known: Record<string, string | number> = {};
  readonly #shown: { tool: string; json: string }[];
  #next = 0;
  calls = 0;
  characters = 0;

  private constructor(text: string) {
    this.#shown = [...text.matchAll(/`([a-z]+_[a-z_]+)\s+(\{[^`]*\})`/g)].map(([, tool, json]) => ({
      tool: tool!,
      json: json!.replaceAll(/\s*\n\s*/g, ' '),
    }));
  }

  static async of(name: string): Promise<Followed> {
    const { contents } = await rpc<{ contents: { text: string }[] }>('resources/read', {
      uri: `skill://${name}/SKILL.md`,
    });
    return new Followed(contents[0]!.text);
  }

  /** Makes the next call that the text shows, which must be of this tool. */
  async call(tool: string): Promise<any> {
    const one = this.#shown[this.#next++];
    expect(one?.tool, `call ${this.#next} of the text`).toBe(tool);
    const json = one!.json.replaceAll(
      /"?\b((?!CHART_)[A-Z]+_[A-Z_]+|VERSION|REVISION|EARLIER)\b"?/g,
      (_, name: string) => {
        expect(this.known, `${tool} ${one!.json}`).toHaveProperty(name);
        return JSON.stringify(this.known[name]);
      },
    );
    this.calls++;
    const result = await rpc<ToolResult>('tools/call', { name: tool, arguments: JSON.parse(json) });
    this.characters += JSON.stringify(result.content.filter((one) => one.type === 'text')).length;
    expect(result.isError, `${tool} ${json}: ${JSON.stringify(result.content).slice(0, 400)}`).toBeUndefined();
    return result.structuredContent;
  }

  /** All calls that the text shows were made. */
  expectEnd(): void {
    expect(this.#shown.slice(this.#next)).toEqual([]);
    process.stdout.write(`${this.calls} calls, ${Math.round(this.characters / 4)} tokens of answers\n`);
  }
}

describe('[finding C13] each skill reaches its end with the calls that it shows', () => {
  test('answer-with-citation', async () => {
    const { knowledge_base_id: base } = await done('wiki.create_knowledge_base', { name: 'Policies' });
    const text = '# Refund policy\n\nWhat the refund policy says about opened goods: refunded within 30 days.';
    const { media_id: id } = await done('wiki.upload_knowledge', {
      knowledge_base_id: base,
      file_name: 'policy.md',
      text,
    });
    await done('wiki.get_knowledge_state', { media_ids: [id], wait_seconds: 20 });
    const skill = await Followed.of('answer-with-citation');
    const { passages, documents } = await skill.call('wiki_search_passages');
    const [best] = passages;
    expect(best.text.replaceAll(/<\/?em>/g, '')).toContain('refunded within 30 days');
    const { kind, link, id: found } = documents[best.document];
    expect(kind).toBe('knowledge');
    skill.known['DOCUMENT_ID'] = found;
    skill.known['PASSAGE_START'] = best.start;
    expect((await skill.call('wiki_get_knowledge_content')).content).toContain('30 days');
    expect(`${link}?at=${best.start}`).toContain(`/item/${id}?at=`);
    skill.known['NOTE_ID'] = await note('# Goods\n\nOpened goods');
    await skill.call('note_read_note');
    skill.known['FILE_ID'] = (await done('manage.create_file', { title: 'Goods' })).file_id;
    await skill.call('sheet_read');
    skill.expectEnd();
  });

  test('build-and-check-a-sheet', async () => {
    const skill = await Followed.of('build-and-check-a-sheet');
    const made = await skill.call('manage_create_file');
    skill.known['FILE_ID'] = made.file_id;
    skill.known['SHEET_ID'] = made.sheet_id;
    await skill.call('manage_search_file');
    await skill.call('sheet_inspect');
    const written = await skill.call('sheet_write');
    expect(written).not.toHaveProperty('errors');
    expect(await skill.call('sheet_check')).toMatchObject({ ok: true });
    await skill.call('sheet_insert_dimension');
    expect(await skill.call('sheet_write')).not.toHaveProperty('errors');
    const total = await done('sheet.read', { file_id: made.file_id, range: 'D5', show: ['formulas'] });
    expect(JSON.stringify(total)).toContain('SUM(D2:D4)');
    await skill.call('sheet_append_rows');
    await skill.call('sheet_edit_rows');
    const asked = await skill.call('sheet_query');
    expect(JSON.stringify(asked)).toMatch(/sail.*4\.80?.*mast.*3\.60?/);
    expect((await skill.call('sheet_render_range')).content_type).toBe('image/png');
    await skill.call('sheet_add_chart');
    expect((await skill.call('sheet_render_chart')).content_type).toMatch(/^image\//);
    expect(made.url).toContain(made.file_id);
    skill.expectEnd();
  });

  test('change-a-note', async () => {
    const id = await note(
      '# Regatta\n\nThe regatta is near.\n\n## Plan\n\nOn 10 May at noon.\n\n- [ ] call Ann @2026-05-01\n',
    );
    const skill = await Followed.of('change-a-note');
    skill.known['NOTE_ID'] = id;
    const found = await skill.call('note_search_note');
    expect(JSON.stringify(found)).toContain(id);
    expect(JSON.stringify(await skill.call('note_list_tasks'))).toContain('call Ann');
    await skill.call('note_backlinks');
    const { notes } = await skill.call('note_read_note');
    skill.known['VERSION'] = notes[0].version;
    await skill.call('note_edit_note');
    await skill.call('note_edit_note');
    for (const tool of ['note_append_doc', 'note_set_task', 'note_rename_note', 'note_replace_in_notes'])
      await skill.call(tool);
    const { diff } = await skill.call('note_diff_note');
    for (const part of ['+On 12 May', '+See you there.']) expect(diff).toContain(part);
    const { content } = (await done('note.read_note', { note_id: id })).notes[0];
    for (const part of ['On 12 May at noon', 'Bring the spare mast.', '- [x] call Ann', 'See you there.'])
      expect(content).toContain(part);
    expect((await done('note.read_note', { note_id: id })).notes[0].title).toBe('Spring regatta');
    skill.expectEnd();
  });

  test('file-and-tag', async () => {
    const skill = await Followed.of('file-and-tag');
    await skill.call('wiki_search_knowledge_base');
    skill.known['BASE_ID'] = (await skill.call('wiki_create_knowledge_base')).knowledge_base_id;
    await skill.call('wiki_get_knowledge_list');
    const folder = await skill.call('wiki_create_folder');
    skill.known['FOLDER_ID'] = folder.folder_id ?? folder.media_id;
    const supplier = await note('# Supplier\n\nVelox');
    expect(JSON.stringify(await skill.call('note_search_note'))).toContain(supplier);
    const file = await done('manage.create_file', { title: 'Orders' });
    expect(JSON.stringify(await skill.call('manage_search_file'))).toContain(file.file_id);
    const item = await skill.call('wiki_upload_knowledge');
    skill.known['ITEM_ID'] = item.media_id;
    await skill.call('wiki_upload_knowledge');
    const bytes = Buffer.from('scan of an offer');
    skill.known['FILE_SIZE'] = bytes.length;
    const { upload_url: address, file_key: key } = await skill.call('manage_pre_import');
    expect((await fetch(address, { method: 'PUT', body: bytes })).status).toBe(200);
    skill.known['FILE_KEY'] = key;
    await skill.call('wiki_upload_knowledge');
    skill.known['PAGE_URL'] = page;
    expect(JSON.stringify(await skill.call('wiki_import_urls'))).toContain('media_');
    skill.known['NOTE_ID'] = supplier;
    await skill.call('wiki_add_knowledge');
    await done('sheet.write', { file_id: file.file_id, range: 'A1', rows: [['mast', 3]] });
    skill.known['FILE_ID'] = file.file_id;
    skill.known['WORKBOOK_ID'] = (await skill.call('wiki_upload_knowledge')).media_id;
    await skill.call('wiki_replace_knowledge');
    const again = await skill.call('manage_import_file');
    const read = await done('sheet.read', { file_id: again.file_id });
    expect(JSON.stringify(read)).toContain('mast');
    await skill.call('wiki_find_duplicates');
    expect(JSON.stringify(await skill.call('wiki_get_knowledge_state'))).toContain('ready');
    for (const tool of ['wiki_list_tags', 'wiki_add_tag', 'note_tag_note', 'manage_tag_file']) await skill.call(tool);
    expect(JSON.stringify(await done('wiki.list_tags', {}))).toContain('offer');
    skill.expectEnd();
  });

  test('remember', async () => {
    const skill = await Followed.of('remember');
    await skill.call('note_recall');
    await skill.call('note_remember');
    const { memories } = await done('note.recall', { question: 'how does Ada want reports?' });
    expect(memories[0].text).toBe('Reports go out on Mondays');
    skill.known['MEMORY_ID'] = memories[0].memory_id;
    await skill.call('note_forget');
    expect((await skill.call('note_list_memories')).memories).toEqual([]);
    skill.expectEnd();
  });

  test('take-back', async () => {
    const skill = await Followed.of('take-back');
    const { known } = skill;
    const { file_id: file } = await done('manage.create_file', { title: 'Plan' });
    for (const value of [1, 2]) await done('sheet.write', { file_id: file, range: 'A1', rows: [[value]] });
    const valueOf = async (): Promise<string> => JSON.stringify((await done('sheet.read', { file_id: file })).rows);
    known['FILE_ID'] = file;
    const id = await note('# Text\n\nMay');
    await done('note.edit_note', { note_id: id, edits: [{ old: 'May', new: 'June' }] });
    known['NOTE_ID'] = id;
    await vi.waitFor(async () => expect(JSON.stringify(await skillChanges())).toContain(id), { timeout: 10_000 });
    const { changes } = await skill.call('account_list_changes');
    expect(JSON.stringify(changes)).toContain(file);
    const { revisions } = await skill.call('sheet_get_history');
    known['REVISION'] = revisions[0].version;
    known['EARLIER'] = revisions[1].version;
    await skill.call('sheet_undo_revision');
    expect(await valueOf()).toContain('1');
    await skill.call('sheet_revert');
    expect(await valueOf()).toContain('1');
    const { versions } = await skill.call('note_get_note_history');
    known['NOTE_VERSION'] = versions.at(-1).version;
    await skill.call('note_diff_note');
    await skill.call('note_restore_note_version');
    expect((await done('note.read_note', { note_id: id })).notes[0].content).toContain('May');
    known['CHANGE_ID'] = (await done('note.replace_in_notes', { note_ids: [id], old: 'May', new: 'July' })).change_id;
    await skill.call('note_undo_note_change');
    expect((await done('note.read_note', { note_id: id })).notes[0].content).toContain('May');
    const deleted = await note('# Gone');
    await done('note.delete_note', { note_id: deleted });
    known['DELETED_NOTE'] = deleted;
    await skill.call('note_restore_note');
    const { knowledge_base_id: base } = await done('wiki.create_knowledge_base', { name: 'Back' });
    const item = await done('wiki.upload_knowledge', { knowledge_base_id: base, file_name: 'a.md', text: '# A' });
    await done('wiki.delete_knowledge', { knowledge_base_id: base, media_ids: [item.media_id] });
    known['BASE_ID'] = base;
    known['ITEM_ID'] = item.media_id;
    expect(JSON.stringify(await skill.call('wiki_list_deleted'))).toContain(item.media_id);
    await skill.call('wiki_restore_knowledge');
    known['DELETED_FILE'] = (await done('manage.create_file', { title: 'Lost' })).file_id;
    await done('manage.delete_file', { file_id: known['DELETED_FILE'] });
    await skill.call('manage_restore_file');
    known['USER_ID'] = (await server.newUser()).userId;
    await done('sharing.share', { kind: 'note', id, user_id: known['USER_ID'], role: 'read' });
    await skill.call('sharing_unshare');
    await done('sharing.publish', { kind: 'note', id });
    known['LINK_ID'] = (await skill.call('sharing_list_published')).links[0].link_id;
    await skill.call('sharing_unpublish');
    expect((await done('sharing.list_published', { kind: 'note', id })).links).toEqual([]);
    skill.expectEnd();
  });
});

const skillChanges = (): Promise<any> => done('account.list_changes', { since: '2026-01-01T00:00:00Z' });
