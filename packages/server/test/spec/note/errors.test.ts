import { expect, test } from 'vitest';
import { note } from '../../../src/modules/note/index.ts';
import { eachServer, onSurface } from '@sheaf/tools/testing/test-server.ts';
import { importNote } from './support.ts';

test('[N95] every number of the specification is in the table; those never answered say why', () => {
  const rows = Object.values(note.errors) as { code: number; never?: string }[];
  const never = rows.filter((row) => row.never !== undefined).map((row) => row.code);
  expect([...new Set(rows.map((row) => row.code))].toSorted((a, b) => a - b)).toEqual([
    20002, 20004, 210001, 210002, 210003, 210004, 210005, 210006, 210007, 210008, 210009, 210010, 210011, 210012,
    210030, 210031, 210032, 210033, 210034, 210035, 210036,
  ]);
  expect(never).toEqual([210002, 210007, 210010, 210032, 210036]);
});

onSurface('note', 'who may call', (call, server) => {
  const account = (operation: string, input: unknown) => server().call('http', 'account', operation, input);

  test('[N90] a suspended user is 210012', async () => {
    const user = await server().newUser();
    await account('suspend_user', { user_id: user.userId });
    const answer = await server().call('http', 'note', 'list_note', { cursor: '', limit: 1 }, user);
    expect(answer).toMatchObject({ code: 210012, data: {} });
  });

  test('[N91] a key that only reads, or is for other modules, is 210034', async () => {
    const make = async (more: Record<string, unknown>) => {
      const { data } = await account('create_key', { name: 'narrow', ...more });
      return { userId: server().owner.userId, clientId: data.key.client_id as string, apiKey: data.api_key as string };
    };
    const reader = await make({ access: 'read' });
    expect(await call('list_note', { cursor: '', limit: 1 }, reader)).toMatchObject({ code: 0 });
    expect(await call('import_doc', { content_format: 1, content: 'x' }, reader)).toMatchObject({
      code: 210034,
      data: {},
    });
    expect(await call('list_note', { cursor: '', limit: 1 }, await make({ modules: ['sheet'] }))).toMatchObject({
      code: 210034,
    });
  });
});

eachServer('the notes path', (server) => {
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const { url, owner } = server();
    const response = await fetch(`${url}/openapi/note/v1/${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'svc-openapi-clientid': owner.clientId,
        'svc-openapi-apikey': owner.apiKey,
        ...headers,
      },
      body: JSON.stringify(body),
    });
    return { status: response.status, ...((await response.json()) as { code: number; msg: string; data: any }) };
  };

  test('[N92] an Idempotency-Key makes one note, and is 210008 for another request', async () => {
    const key = { 'idempotency-key': `k${Math.random()}` };
    const same = { content_format: 1, content: 'once' };
    const answers = await Promise.all(Array.from({ length: 5 }, () => post('import_doc', same, key)));
    expect(new Set(answers.map((answer) => answer.data.note_id)).size).toBe(1);
    expect((await post('list_note', { cursor: '', limit: 20 })).data.note_book_list.length).toBe(1);
    expect(await post('import_doc', { content_format: 1, content: 'twice' }, key)).toMatchObject({
      status: 200,
      code: 210008,
    });
  });

  test('[N93] a bad key is 20004 with status 401, an unknown operation 210001 with status 404', async () => {
    expect(await post('list_note', { cursor: '', limit: 1 }, { 'svc-openapi-apikey': 'sk_wrong' })).toMatchObject({
      status: 401,
      code: 20004,
      data: {},
    });
    expect(await post('no_such_operation', {})).toMatchObject({ status: 404, code: 210001, data: {} });
  });

  test('[N94] a write that was refused leaves no trace in the history or the list', async () => {
    const call = (operation: string, input: unknown) => server().call('http', 'note', operation, input);
    const id = await importNote(call, 'kept');
    await call('append_doc', { note_id: id, content_format: 1, content: 'x'.repeat(2 ** 20) });
    await call('update_note', { note_id: id, content: 'y', base_version: 7 });
    expect((await call('get_note_history', { note_id: id })).data.versions.length).toBe(1);
  });
});

eachServer(
  'rate limit',
  (server) => {
    test('[N93] a key over its rate is 20002', async () => {
      const codes: number[] = [];
      for (let i = 0; i < 6; i++)
        codes.push((await server().call('http', 'note', 'list_note', { cursor: '', limit: 1 })).code);
      expect(codes.filter((code) => code === 0).length).toBeLessThan(6);
      expect(codes.at(-1)).toBe(20002);
    });
  },
  { config: { SHEAF_RATE_LIMIT: 1 } },
);
