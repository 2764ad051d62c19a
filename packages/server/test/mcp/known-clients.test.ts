import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { onSurface, startServer, type TestServer } from '@sheaf/tools/testing/test-server.ts';

/** What older and companion clients send, and what they read in the answer. */

onSurface('note', 'before the present names', (call) => {
  test('[finding C4] search_note_book answers docs with basic_info', async () => {
    const word = newId('word').replace('_', '');
    const { note_id } = (await call('import_doc', { content_format: 1, content: `# ${word}\nsour` })).data;
    const query = { search_type: 0, query_info: { title: word }, start: 0, end: 20, query_id: 'q1' };
    let data: any;
    for (let tries = 0; tries < 100; tries++) {
      data = (await call('search_note_book', query)).data;
      if (data.total_hit_num > 0) break;
      await new Promise((done) => setTimeout(done, 100));
    }
    expect(data).toMatchObject({ is_end: true, total_hit_num: 1 });
    expect(data.docs[0]).toEqual({
      doc: {
        basic_info: {
          docid: note_id,
          title: word,
          summary: 'sour',
          create_time: expect.any(Number),
          modify_time: expect.any(Number),
          status: 0,
          folder_id: expect.any(String),
          folder_name: expect.any(String),
          summary_style: {},
        },
      },
      highlight_info: { doc_title: `<em>${word}</em>` },
    });
  });

  test('[finding C4] list_note_folder_by_cursor and list_note_by_folder_id page on', async () => {
    const folders = (await call('list_note_folder_by_cursor', { cursor: '0', limit: 1 })).data;
    expect(folders.is_end).toBe(false);
    expect(folders.note_book_folders[0].folder.basic_info).toMatchObject({ status: 0, folder_type: 1 });
    const next = (await call('list_note_folder_by_cursor', { cursor: folders.next_cursor, limit: 20 })).data;
    expect(next.note_book_folders[0].folder.basic_info.folder_type).toBe(2);
    for (const content of ['# One', '# Two']) await call('import_doc', { content_format: 1, content });
    const first = (await call('list_note_by_folder_id', { folder_id: '', cursor: '', limit: 1 })).data;
    expect(first.is_end).toBe(false);
    const second = (await call('list_note_by_folder_id', { cursor: first.next_cursor, limit: 1 })).data;
    const ids = [first, second].map((page) => page.note_book_list[0].basic_info.basic_info.docid);
    expect(new Set(ids).size).toBe(2);
  });
});

onSurface('manage', 'companion tools of the sheet service', (call, server) => {
  const newFile = async (title: string): Promise<string> => (await call('create_file', { title })).data.file_id;
  const traced = { error: '', trace_id: expect.stringMatching(/.+/) };

  test('[finding C8] folder_list, recent_online_file, search_file by search_key, query_file_info', async () => {
    const id = await newFile('Zebra list');
    const url = `${server().url}/sheet/${id}`;
    const listed = (await call('folder_list', { folder_id: '/', start: 0 })).data;
    expect(listed).toMatchObject({ finish: expect.any(Boolean), ...traced });
    expect(listed.list).toContainEqual({ id, title: 'Zebra list', url, is_folder: false });
    expect((await call('folder_list', { folder_id: 'f1' })).msg).toBe(
      'folder_id: spreadsheets have no folders but the root, "/" (got "f1")',
    );
    const recent = (await call('recent_online_file', { num: 1, count: 1, order_by: 1 })).data;
    expect(recent).toEqual({ files: [{ file_id: id, file_name: 'Zebra list', file_url: url }], ...traced });
    let found: any;
    for (let tries = 0; tries < 100; tries++) {
      found = (await call('search_file', { search_key: 'zebra' })).data;
      if (found.list.some((one: any) => one.file_id === id)) break;
      await new Promise((done) => setTimeout(done, 100));
    }
    expect(found.list).toContainEqual({ file_id: id, title: 'Zebra list', url });
    const info = (await call('query_file_info', { file_id: id })).data;
    expect(info).toMatchObject({ type: 'sheet', owner_name: 'owner', space_id: '', is_folder: false });
    expect(info.create_time).toBeLessThan(1e11);
  });

  test('[finding C8] rename_file_title, move_file, get_privilege, copy_file', async () => {
    const file_id = await newFile('Before');
    expect((await call('rename_file_title', { file_id, title: 'After' })).data).toEqual({
      file_id,
      title: 'After',
      ...traced,
    });
    expect((await call('query_file_info', { file_id })).data.file.title).toBe('After');
    expect((await call('move_file', { file_id, target_folder_id: '/' })).data).toEqual(traced);
    expect((await call('move_file', { file_id, target_folder_id: 'x' })).msg).toBe(
      'target_folder_id: spreadsheets have no folders but the root, "/" (got "x")',
    );
    expect((await call('get_privilege', { file_id })).data).toEqual({ file_id, policy: 0, ...traced });
    const other = await server().newUser();
    const stranger = await server().newUser();
    await call('share_file', { file_id, user_id: other.userId, role: 'viewer' });
    expect((await call('get_privilege', { file_id }, other)).data.policy).toBe(1);
    const copy = (await call('copy_file', { file_id, folder_id: '/' })).data;
    expect(copy.id).toBe(copy.file_id);
    for (const [name, input] of [
      ['rename_file_title', { file_id, title: 'Mine' }],
      ['move_file', { file_id, target_folder_id: '/' }],
      ['get_privilege', { file_id }],
      ['import_progress', { task_id: file_id }],
      ['export_progress', { task_id: file_id }],
    ] as const)
      expect([name, (await call(name, input, stranger)).code]).toEqual([name, 310002]);
  });

  test('[finding C8] set_privilege gives all users of the installation one role', async () => {
    const file_id = await newFile('Everybody');
    const other = await server().newUser();
    expect((await call('set_privilege', { file_id, policy: 2 })).data).toEqual(traced);
    expect((await call('get_privilege', { file_id }, other)).data.policy).toBe(2);
    expect((await call('rename_file_title', { file_id, title: 'Mine' }, other)).code).toBe(310007);
    expect((await call('set_privilege', { file_id, policy: 3 }, other)).code).toBe(310007);
    await call('set_privilege', { file_id, policy: 3 });
    expect((await call('get_privilege', { file_id }, other)).data.policy).toBe(3);
    expect((await call('rename_file_title', { file_id, title: 'Ours' }, other)).code).toBe(0);
    expect((await call('set_privilege', { file_id, policy: 1 })).msg).toBe('policy: must be one of 2, 3 (got 1)');
    await server().newUser();
    expect((await call('get_privilege', { file_id })).data.policy).toBe(1);
  });

  test('[finding C8] import by name and base64, or by upload and task; export without a format', async () => {
    const csv = Buffer.from('a,b\n1,2\n');
    const md5 = createHash('md5').update(csv).digest('hex');
    const sent = { file_name: 'Prices.csv', file_size: csv.length, file_md5: md5, file_base64: csv.toString('base64') };
    const made = (await call('import_file', sent)).data;
    expect([made.title, made.task_id]).toEqual(['Prices', made.file_id]);
    expect((await call('import_file', { ...sent, file_md5: '0'.repeat(32) })).msg).toBe(
      `file_md5: must be the MD5 of the file, ${md5} (got "${'0'.repeat(32)}")`,
    );
    expect((await call('import_file', { ...sent, file_size: 3 })).msg).toBe(
      'file_size: must be the size of the file, 8 (got 3)',
    );
    const up = (await call('pre_import', { file_name: 'Up.csv', file_size: csv.length, file_md5: md5 })).data;
    expect((await fetch(up.upload_url, { method: 'PUT', body: csv })).status).toBe(200);
    const task = (await call('async_import', { file_key: up.file_key, file_name: 'Up.csv', file_md5: md5 })).data;
    expect(task).toEqual({ task_id: expect.any(String), ...traced });
    const { task_id } = task;
    expect((await call('import_progress', { task_id })).data).toEqual({
      progress: 100,
      status: 'success',
      file_id: task_id,
      file_name: 'Up',
      file_url: `${server().url}/sheet/${task_id}`,
      ...traced,
    });
    const out = (await call('export_file', { file_id: task_id })).data;
    expect([out.file_name, out.task_id]).toEqual(['Up.xlsx', task_id]);
    const link = (await call('export_progress', { task_id })).data;
    expect(link).toMatchObject({ progress: 100, status: 'success', file_name: 'Up.xlsx', ...traced });
    const file = Buffer.from(await (await fetch(link.file_url)).arrayBuffer());
    expect(file.subarray(0, 2).toString()).toBe('PK');
  });

  test('[finding C8] upload_image by image_base64', async () => {
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    expect((await call('upload_image', { image_base64: png })).data).toMatchObject({ width: 1, height: 1 });
    expect((await call('upload_image', {})).msg).toBe('content: is required');
  });
});

describe('[finding C7] addresses that clients have built in', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ database: 'sqlite' });
  });
  afterAll(() => server.close());

  async function rpc(path: string, method: string, params: object = {}): Promise<any> {
    const response = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: server.owner.apiKey },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return response.json();
  }

  test('/api/v6/sheet/mcp lists the 49 as sheet.x', async () => {
    const names: string[] = (await rpc('/api/v6/sheet/mcp', 'tools/list')).result.tools.map((tool: any) => tool.name);
    expect(names).toHaveLength(49);
    expect(names.every((name) => /^sheet\.[a-z_]+$/.test(name))).toBe(true);
    const failed = await rpc('/api/v6/sheet/mcp', 'tools/call', { name: 'sheet.get_sheet_info', arguments: {} });
    const text = JSON.parse(failed.result.content[0].text);
    expect(text).toEqual({ code: 310001, msg: 'file_id: is required (or file_url)', error: text.msg });
  });

  test('[finding C8] operation_sheet, which runs scripts, is refused by its name', async () => {
    const why =
      'operation_sheet is not served: it runs scripts that a caller sends. Call the other tools, or batch for several edits at once.';
    for (const path of ['/api/v6/sheet/mcp', '/mcp'])
      for (const name of ['sheet.operation_sheet', 'operation_sheet']) {
        const { result } = await rpc(path, 'tools/call', { name, arguments: { script: 'x' } });
        expect([name, JSON.parse(result.content[0].text)]).toEqual([name, { code: 310011, msg: why, error: why }]);
      }
    const response = await fetch(`${server.url}/openapi/sheet/v1/operation_sheet`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: server.owner.apiKey },
      body: '{}',
    });
    expect([response.status, await response.json()]).toEqual([
      404,
      { code: 310011, msg: why, data: {}, error: why, trace_id: response.headers.get('x-request-id') },
    ]);
  });

  test('[finding C7] every failure over HTTP carries error and trace_id', async () => {
    const send = async (path: string, headers: Record<string, string> = {}): Promise<any> => {
      const response = await fetch(`${server.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: '{}',
      });
      return { id: response.headers.get('x-request-id'), body: await response.json() };
    };
    const key = { authorization: server.owner.apiKey };
    for (const [path, headers] of [
      ['/openapi/manage/v1/query_file_info', key],
      ['/openapi/manage/v1/query_file_info', {}],
      ['/openapi/sheet/v1/nope', key],
      ['/nowhere', key],
      ['/openapi/manage/v1/query_file_info', { ...key, 'content-type': 'text/plain' }],
    ] as const) {
      const { id, body } = await send(path, headers);
      expect([path, body]).toEqual([path, { code: body.code, msg: body.msg, data: {}, error: body.msg, trace_id: id }]);
    }
  });

  test('/openapi/mcp lists everything', async () => {
    const { tools } = (await rpc('/openapi/mcp', 'tools/list')).result;
    const listed = server.app.registry.entries().filter(({ operation }) => !operation.isUnlisted);
    expect(tools).toHaveLength(listed.length + 2);
    const older = tools.find((tool: any) => tool.name === 'note_search_note_book');
    expect(older.description).toBe('Deprecated: use search_note.');
  });

  test('both refuse no key, another method and, unlike /mcp, a foreign page', async () => {
    for (const path of ['/mcp', '/openapi/mcp', '/api/v6/sheet/mcp']) {
      const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
      const send = async (headers: Record<string, string>): Promise<number> =>
        (
          await fetch(`${server.url}${path}`, {
            method: 'POST',
            headers: { 'content-type': 'application/json', ...headers },
            body,
          })
        ).status;
      expect([path, await send({})]).toEqual([path, 401]);
      expect([
        path,
        await send({ authorization: `Bearer ${server.owner.apiKey}`, origin: 'http://evil.example' }),
      ]).toEqual([path, path === '/mcp' ? 200 : 403]);
      expect([path, (await fetch(`${server.url}${path}`)).status]).toEqual([path, 405]);
    }
  });
});
