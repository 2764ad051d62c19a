import { expect, test } from 'vitest';
import { eachServer, type Key } from '@sheaf/tools/testing/test-server.ts';

eachServer('[finding G9][finding G13] files by what they hold', (server) => {
  const done = async (name: string, input: object, as: Key = server().owner): Promise<any> => {
    const [module, operation] = name.split('.') as [string, string];
    const { code, msg, data } = await server().call('http', module, operation, input, as);
    expect([name, code, msg]).toEqual([name, 0, 'success']);
    return data;
  };
  const newBase = async (as?: Key): Promise<string> =>
    (await done('wiki.create_knowledge_base', { name: 'Same' }, as)).knowledge_base_id;
  const upload = (base: string, name: string, text: string, as?: Key): Promise<any> =>
    done('wiki.upload_knowledge', { knowledge_base_id: base, file_name: name, text }, as);

  test('a text is uploaded as text, and says where the same file is already', async () => {
    const [base, other] = [await newBase(), await newBase()];
    const first = await upload(base, 'a.txt', 'Größe: 5 梨');
    expect(first).not.toHaveProperty('already_here_as');
    expect(first.url).toMatch(new RegExp(`^http.*/wiki/${base}/item/${first.media_id}$`));
    await upload(base, 'b.txt', 'Groesse: 5 pears!');
    const again = await upload(other, 'copy.txt', 'Größe: 5 梨');
    expect(again.already_here_as).toEqual([{ media_id: first.media_id, title: 'a.txt', knowledge_base_id: base }]);
    const ada = await server().newUser();
    expect(await upload(await newBase(ada), 'hers.txt', 'Größe: 5 梨', ada)).not.toHaveProperty('already_here_as');
    await done('wiki.get_knowledge_state', { media_ids: [first.media_id], wait_seconds: 20 });
    expect((await done('wiki.get_knowledge_content', { media_id: first.media_id })).content).toContain('Größe: 5 梨');
  });

  test('duplicates are found by content, in one base or in all one may see', async () => {
    const [base, other] = [await newBase(), await newBase()];
    const same = [await upload(base, 'one.txt', 'twins 1'), await upload(base, 'two.txt', 'twins 1')];
    await upload(base, 'no.txt', 'twins 2');
    const third = await upload(other, 'three.txt', 'twins 1');
    const { duplicates } = await done('wiki.find_duplicates', { knowledge_base_id: base });
    expect(duplicates).toHaveLength(1);
    expect(duplicates[0].sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(duplicates[0].files.map((one: any) => one.media_id)).toEqual(same.map((one) => one.media_id));
    const all = (await done('wiki.find_duplicates', {})).duplicates.find(
      (one: any) => one.sha256 === duplicates[0].sha256,
    );
    expect(all.files.map((one: any) => one.media_id)).toContain(third.media_id);
    const ada = await server().newUser();
    expect((await done('wiki.find_duplicates', {}, ada)).duplicates).toEqual([]);
    expect((await server().call('http', 'wiki', 'find_duplicates', { knowledge_base_id: base }, ada)).code).not.toBe(0);
  });

  test('a spreadsheet in the trash is refused like one that does not exist', async () => {
    const base = await newBase();
    const { file_id: file } = await done('manage.create_file', { title: 'Gone' });
    await done('manage.delete_file', { file_id: file });
    for (const id of [file, 'doc_none']) {
      const input = { knowledge_base_id: base, file_name: 'gone.xlsx', file_id: id };
      const { code, msg } = await server().call('http', 'wiki', 'upload_knowledge', input);
      expect([code, msg]).toEqual([110030, expect.stringMatching(/^file_id: /)]);
    }
  });

  test('a spreadsheet is filed in a base, and a workbook or table of a base becomes a spreadsheet, by id', async () => {
    const base = await newBase();
    const { file_id: file } = await done('manage.create_file', { title: 'Costs' });
    await done('sheet.write', { file_id: file, range: 'A1', rows: [['mast', 120]] });
    const item = await done('wiki.upload_knowledge', {
      knowledge_base_id: base,
      file_name: 'Costs.xlsx',
      file_id: file,
    });
    const back = await done('manage.import_file', { title: 'Again', media_id: item.media_id });
    expect((await done('sheet.read', { file_id: back.file_id })).rows).toEqual({ 1: ['mast', 120] });
    await done('sheet.write', { file_id: file, range: 'A1', rows: [['mast', 130]] });
    await done('wiki.replace_knowledge', { media_id: item.media_id, file_id: file });
    const newer = await done('manage.import_file', { title: 'Newer', media_id: item.media_id });
    expect((await done('sheet.read', { file_id: newer.file_id })).rows).toEqual({ 1: ['mast', 130] });
    const report = await upload(
      base,
      'report.md',
      '# Report\n\nText.\n\n| item | n |\n| --- | --- |\n| sail, red | 2 |\n\nEnd.',
    );
    await done('wiki.get_knowledge_state', { media_ids: [report.media_id], wait_seconds: 20 });
    const table = await done('manage.import_file', { title: 'Table', media_id: report.media_id, table: 1 });
    expect((await done('sheet.read', { file_id: table.file_id })).rows).toEqual({
      1: ['item', 'n'],
      2: ['sail, red', 2],
    });
    const refuse = async (input: object, as?: Key): Promise<string> =>
      (await server().call('http', 'manage', 'import_file', { title: 'x', ...input }, as)).msg;
    expect(await refuse({ media_id: report.media_id, table: 2 })).toBe('table: the document has 1 tables (got 2)');
    expect(await refuse({ media_id: report.media_id })).toContain('media_id: must be an .xlsx');
    const ada = await server().newUser();
    expect(await refuse({ media_id: item.media_id }, ada)).toContain('media_id: there is no item');
    const hers = await newBase(ada);
    const filed = await server().call(
      'http',
      'wiki',
      'upload_knowledge',
      { knowledge_base_id: hers, file_name: 'x.xlsx', file_id: file },
      ada,
    );
    expect(filed.msg).toContain('file_id: there is no spreadsheet');
    const { api_key: apiKey, key } = await done('account.create_key', {
      name: 'sheets only',
      modules: ['manage', 'sheet'],
    });
    expect(await refuse({ media_id: item.media_id }, { ...server().owner, clientId: key.client_id, apiKey })).toContain(
      'module wiki',
    );
  });

  test('[T97] an address for a file of known size takes that size only, for minutes', async () => {
    const made = await done('manage.pre_import', { file_name: 'a.txt', file_size: 5 });
    expect(made.max_size).toBe(5);
    expect(made.expired_time - Date.now() / 1000).toBeLessThanOrEqual(15 * 60);
    const put = async (body: string): Promise<number> => (await fetch(made.upload_url, { method: 'PUT', body })).status;
    expect(await put('too long')).toBe(400);
    expect(await put('right')).toBe(200);
    expect(await put('again')).toBe(409);
    const other = new URL(made.upload_url);
    other.pathname = other.pathname.replace('-size-5', '-size-50');
    expect((await fetch(other, { method: 'PUT', body: 'right' })).status).toBe(403);
    const base = await newBase();
    const item = await done('wiki.upload_knowledge', {
      knowledge_base_id: base,
      file_name: 'a.txt',
      file_key: made.file_key,
    });
    expect(item.media_id).toMatch(/^media_/);
  });
});
