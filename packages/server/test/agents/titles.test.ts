import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '@sheaf/tools/testing/test-server.ts';

/** Contract, section 8: our own operations take a unique title where they want an id, and say which object they took. */
describe.each(['sqlite', 'postgres'] as const)('titles in place of ids on %s', (database) => {
  let server: TestServer;
  beforeAll(async () => (server = await startServer({ database })));
  afterAll(() => server.close());

  async function ok(name: string, input: object): Promise<any> {
    const [module, operation] = name.split('.') as [string, string];
    const { code, msg, data } = await server.call('http', module, operation, input);
    expect([name, code, msg]).toEqual([name, 0, 'success']);
    return data;
  }
  const refusal = async (name: string, input: object): Promise<string> => {
    const [module, operation] = name.split('.') as [string, string];
    const { code, msg } = await server.call('http', module, operation, input);
    expect(code).not.toBe(0);
    return msg;
  };
  const note = async (content: string): Promise<string> =>
    (await ok('note.import_doc', { content_format: 1, content })).note_id;

  test('a note, a spreadsheet, a base, a notebook and an item are found by their title, whatever its case', async () => {
    const id = await note('# Supplier Velox\n\nPayment within 45 days.');
    expect((await ok('note.read_note', { note_id: 'supplier velox' })).notes[0].note_id).toBe(id);
    const { file_id: file } = await ok('manage.create_file', { title: 'Office costs' });
    await ok('sheet.write', { file_id: 'Office costs', range: 'A1', rows: [['rent', 5]] });
    expect(JSON.stringify(await ok('sheet.read', { file_id: file }))).toContain('rent');
    const { knowledge_base_id: base } = await ok('wiki.create_knowledge_base', { name: 'Purchasing & more' });
    const filed = await ok('wiki.upload_knowledge', {
      knowledge_base_id: 'Purchasing & more',
      file_name: 'costs.xlsx',
      file_id: 'office costs',
    });
    const state = await ok('wiki.get_knowledge_state', { media_ids: ['costs.xlsx'], wait_seconds: 10 });
    expect(JSON.stringify(state)).toContain(filed.media_id);
    expect(
      JSON.stringify(await ok('wiki.get_knowledge_list', { knowledge_base_id: base, cursor: '', limit: 10 })),
    ).toContain('costs.xlsx');
    const { knowledge_base_id: copies } = await ok('wiki.create_knowledge_base', { name: 'Copies' });
    await ok('wiki.copy_knowledge', {
      knowledge_base_id: 'purchasing & more',
      media_ids: [filed.media_id],
      target_knowledge_base_id: 'Copies',
    });
    expect(
      JSON.stringify(await ok('wiki.get_knowledge_list', { knowledge_base_id: copies, cursor: '', limit: 10 })),
    ).toContain('costs.xlsx');
    await ok('note.import_doc', { content_format: 1, content: '# Other', folder_name: 'Suppliers' });
    await ok('note.move_notes', { note_ids: ['Supplier Velox'], folder_id: 'Suppliers' });
    expect((await ok('note.read_note', { note_id: id })).notes[0].title).toBe('Supplier Velox');
    const replaced = await ok('note.replace_in_notes', { folder_id: 'Suppliers', old: '45 days', new: '30 days' });
    expect(replaced.total).toBe(1);
  });

  test('the answer says beside itself which object was taken', async () => {
    const id = await note('# Minutes of May\n\nText');
    const response = await fetch(`${server.url}/openapi/note/v1/read_note`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'ima-openapi-clientid': server.owner.clientId,
        'ima-openapi-apikey': server.owner.apiKey,
      },
      body: JSON.stringify({ note_id: 'minutes of may' }),
    });
    expect(response.headers.get('x-sheaf-notice')).toBe(`note_id: "Minutes of May" is ${id}`);
  });

  test('a title that several objects have is refused with their ids; one spelled exactly alike goes first', async () => {
    const [one, two] = [await note('# Plan\n\nA'), await note('# Plan\n\nB')];
    const message = await refusal('note.read_note', { note_id: 'Plan' });
    expect(message).toContain('note_id: several notes have the title "Plan"; send an id: ');
    for (const id of [one, two]) expect(message).toContain(id);
    const lower = await note('# plan\n\nC');
    expect((await ok('note.read_note', { note_id: 'plan' })).notes[0].note_id).toBe(lower);
  });

  test("another user's objects and deleted ones are not found by title; specified operations take ids only", async () => {
    const other = await server.newUser();
    await server.call('http', 'note', 'import_doc', { content_format: 1, content: '# Their secret\n\nX' }, other);
    const unknown = await refusal('note.read_note', { note_id: 'Nobody has this' });
    expect(await refusal('note.read_note', { note_id: 'Their secret' })).toBe(
      unknown.replace('Nobody has this', 'Their secret'),
    );
    const own = async (module: string, name: string, input: object): Promise<any> =>
      (await server.call('http', module, name, input, other)).data;
    await own('manage', 'create_file', { title: 'Their sheet' });
    const { knowledge_base_id: base } = await own('wiki', 'create_knowledge_base', { name: 'Their base' });
    await own('wiki', 'upload_knowledge', { knowledge_base_id: base, file_name: 'theirs.md', text: '# Secret' });
    for (const [name, field, title] of [
      ['sheet.read', 'file_id', 'Their sheet'],
      ['wiki.find_duplicates', 'knowledge_base_id', 'Their base'],
      ['wiki.get_knowledge_content', 'media_id', 'theirs.md'],
    ] as const)
      expect(await refusal(name, { [field]: title })).toBe(
        (await refusal(name, { [field]: 'Nobody has this' })).replace('Nobody has this', title),
      );
    const id = await note('# Old\n\nText');
    await ok('note.delete_note', { note_id: id });
    expect(await refusal('note.read_note', { note_id: 'Old' })).toContain('"Old"');
    await ok('manage.create_file', { title: 'Ids only' });
    expect(await refusal('sheet.get_sheet_info', { file_id: 'Ids only' })).toContain('"Ids only"');
  });
});
