import { expect, test } from 'vitest';
import { eachServer, type Key } from '@sheaf/tools/testing/test-server.ts';

eachServer('several writes in one request', (server) => {
  const post = async (body: unknown, as: Key = server().owner): Promise<{ status: number; body: any }> => {
    const response = await fetch(`${server().url}/openapi/sheet/v1/calls`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: as.apiKey },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  };
  const newFile = async (): Promise<{ file_id: string; sheet_id: string }> =>
    (await server().call('http', 'manage', 'create_file', { title: 'Grouped' })).data as never;
  const enter = (file: object, row: number, text: string, key?: string): object => ({
    operation: 'enter_cells',
    arguments: { ...file, start_row: row, start_col: 0, rows: [[text]] },
    ...(key === undefined ? {} : { idempotency_key: key }),
  });
  const csv = async (file: object): Promise<string> => {
    const region = { start_row: 0, start_col: 0, end_row: 3, end_col: 0, return_csv: true };
    return (await server().call('http', 'sheet', 'get_cell_data', { ...file, ...region })).data.csv_data as string;
  };

  test('[finding P17] each is a revision of its own, in order, and a refused one does not hold back the others', async () => {
    const file = await newFile();
    const { status, body } = await post({
      calls: [enter(file, 0, 'a'), enter(file, 1, '=1+*'), enter(file, 2, 'c'), enter(file, 0, 'd')],
    });
    expect([status, body.code]).toEqual([200, 0]);
    expect(body.data.answers).toMatchObject([
      { status: 200, code: 0, version: 2 },
      { status: 200, code: 310009, data: {} },
      { status: 200, code: 0, version: 3 },
      { status: 200, code: 0, version: 4 },
    ]);
    expect(await csv(file)).toBe('d\n\nc\n');
  });

  test('[finding P17] repeated under the same keys, alone or in another group, each is carried out once', async () => {
    const file = await newFile();
    const calls = [enter(file, 0, 'one', 'g-1'), enter(file, 1, 'two', 'g-2')];
    await post({ calls });
    await server().call('http', 'sheet', 'enter_cells', { ...file, start_row: 0, start_col: 0, rows: [['other']] });
    const again = await post({ calls: [...calls, enter(file, 2, 'three', 'g-3')] });
    expect(again.body.data.answers.map((one: { version: number }) => one.version)).toEqual([2, 3, 5]);
    expect(await csv(file)).toBe('other\ntwo\nthree\n');
    const alone = await fetch(`${server().url}/openapi/sheet/v1/enter_cells`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: server().owner.apiKey,
        'idempotency-key': 'g-1',
      },
      body: JSON.stringify((calls[0] as { arguments: object }).arguments),
    });
    expect(alone.headers.get('x-sheaf-version')).toBe('2');
  });

  test('[finding P17] what is wrong with the request is told, and nobody else may write', async () => {
    const file = await newFile();
    expect((await post({ calls: [] })).body.msg).toBe('calls: must have at least 1 entry (got an array of 0)');
    expect((await post({ calls: [{ operation: 'enter_cells' }] })).body.msg).toBe('calls[0].arguments: is required');
    const { body } = await post({ calls: [{ operation: 'get_cell_data', arguments: file }] });
    expect(body.data.answers).toMatchObject([
      { status: 404, msg: 'there is no operation "get_cell_data" that writes in sheet' },
    ]);
    const stranger = await server().newUser();
    expect((await post({ calls: [enter(file, 0, 'x')] }, stranger)).body.data.answers).toMatchObject([
      { code: 310002 },
    ]);
    expect((await post({ calls: [] }, { ...stranger, apiKey: 'wrong' })).status).toBe(401);
    expect(await csv(file)).toBe('');
  });
});
