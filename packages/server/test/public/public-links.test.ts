import { expect, test } from 'vitest';
import { publicLinkBytes } from '../../src/ports/public-link-store.ts';
import { eachServer, startServer, type Key } from '@sheaf/tools/testing/test-server.ts';
import { ended, read } from './read.ts';

eachServer('public links', (server) => {
  const done = async (operation: string, input: object, as?: Key): Promise<any> => {
    const [module, name] = operation.split('.') as [string, string];
    const answer = await server().call('http', module, name, input, as);
    expect([operation, answer.code, answer.msg]).toEqual([operation, 0, 'success']);
    return answer.data;
  };
  const newLink = async (
    file_id: string,
    input: object = {},
    as?: Key,
  ): Promise<{ secret: string; link_id: string; url: string }> => {
    const { link, url } = await done('manage.create_public_link', { file_id, ...input }, as);
    return { secret: new URL(url).hash.slice(1), link_id: link.link_id, url };
  };
  const whole = { start_row: 0, start_col: 0, end_row: 20, end_col: 10 };

  test('[T86] shows values, looks, charts and images; no formula, comment, history, name, hidden sheet, row or column', async () => {
    const { file_id, sheet_id } = await done('manage.create_file', { title: 'Quarter' });
    const on = { file_id, sheet_id };
    await done('sheet.enter_cells', {
      ...on,
      start_row: 0,
      start_col: 0,
      rows: [
        ['region', 'units', '=1+1', 'hiddencolumn'],
        ['north', '12', '=Hidden!A1&"!"', 'x'],
        ['hiddenrow', '7', '', 'x'],
      ],
    });
    const { sheet_id: hidden } = await done('sheet.add_sheet', { file_id, name: 'Hidden' });
    await done('sheet.enter_cells', { file_id, sheet_id: hidden, start_row: 0, start_col: 0, rows: [['shown']] });
    await done('sheet.set_sheet_properties', { file_id, sheet_id: hidden, visibility: 'hidden' });
    await done('sheet.set_dimension_visible', { ...on, dimension_type: 'row', index: 2, count: 1, visible: false });
    await done('sheet.set_dimension_visible', { ...on, dimension_type: 'col', index: 3, count: 1, visible: false });
    await done('sheet.set_comment', { file_id, range: 'Sheet1!A1', text: 'confidential remark' });
    await done('sheet.set_link', { ...on, row: 0, col: 0, url: 'https://example.com/', text: 'region' });
    await done('sheet.set_link', { ...on, row: 1, col: 0, url: '#Hidden!A1', text: 'north' });
    await done('sheet.add_chart', {
      ...on,
      chart_type: 'CHART_LINE',
      data_range: { start_row: 0, start_col: 0, end_row: 1, end_col: 1 },
      drawing_id: 'c1',
      title: 'Units',
    });
    const { secret, url } = await newLink(file_id);
    expect(url).toBe(`${server().url}/p#${secret}`);

    const opened = await read(server(), secret, 'open');
    expect(opened).toMatchObject({ status: 200, code: 0 });
    expect(opened.data).toMatchObject({ title: 'Quarter', expire_time: 0 });
    expect(opened.data.sheets.map((one: any) => one.sheet_name)).toEqual(['Sheet1']);
    const view = await read(server(), secret, 'get_view', { sheet_id, ...whole, layout: true });
    expect(view.data.cells).toEqual([
      [0, 0, 'region', 0],
      [0, 1, 'units', 0],
      [0, 2, '2', 1],
      [1, 0, 'north', 0],
      [1, 1, '12', 1],
      [1, 2, 'shown!', 0],
    ]);
    expect(view.data.links).toEqual([[0, 0, 'https://example.com/']]);
    expect(view.data.layout).toMatchObject({ hidden_rows: [[2, 2]], hidden_cols: [[3, 3]] });
    const { data: charts } = await read(server(), secret, 'get_charts', { sheet_id });
    expect(charts.charts).toMatchObject([{ drawing_id: 'c1', title: 'Units' }]);
    const { data: drawn } = await read(server(), secret, 'render_chart', { sheet_id, drawing_id: 'c1' });
    expect(drawn.content_type).toBe('application/json');
    expect((await read(server(), secret, 'get_images', { sheet_id })).data.images).toEqual([]);
    const said = [opened, view].map(({ text }) => text).join('');
    expect(said).not.toMatch(/hiddenrow|hiddencolumn|Hidden|confidential|=1\+1|owner/);

    for (const id of [hidden, 'Hidden', 'Sheet1', 'none'])
      expect(await read(server(), secret, 'get_view', { sheet_id: id, ...whole })).toMatchObject({
        code: 310003,
        msg: `sheet_id: there is no sub-sheet "${id}"`,
      });
  });

  test('shows the styles of visible rows whose neighbors are hidden', async () => {
    const { file_id, sheet_id } = await done('manage.create_file', { title: 'Bold' });
    const on = { file_id, sheet_id };
    const rows = { start_row: 0, end_row: 5, start_col: 0, end_col: 0 };
    await done('sheet.set_cell_style', { ...on, ...rows, format: { background_color: 'FFEEDDCC' } });
    for (const index of [0, 3])
      await done('sheet.set_dimension_visible', { ...on, dimension_type: 'row', index, count: 1, visible: false });
    const { secret } = await newLink(file_id);
    const { data } = await read(server(), secret, 'get_view', { sheet_id, ...whole });
    expect(data.styles).toEqual([
      [0, 1, 2, 0],
      [0, 4, 5, 0],
    ]);
  });

  test('[finding R21] tells no value that a format hides, nothing of hidden columns, no formula by FORMULATEXT', async () => {
    const { file_id, sheet_id } = await done('manage.create_file', { title: 'Hidden' });
    const on = { file_id, sheet_id };
    await done('sheet.enter_cells', {
      ...on,
      start_row: 0,
      start_col: 0,
      rows: [
        ['salary', '=1234*2', '=FORMULATEXT(B1)', 'x'],
        ['=B1', '17', '=MID(C1,2,9)', 'x'],
        ['=LEN(C1)', '=INDIRECT("C1")', '=shows', 'x'],
        ['merged', '', '', 'x'],
        ['', '', '', 'x'],
      ],
    });
    await done('sheet.merge_cell', { ...on, start_row: 3, start_col: 0, end_row: 3, end_col: 1, merge_type: 'all' });
    await done('sheet.enter_cells', { ...on, start_row: 3, start_col: 1, rows: [['covered']] });
    await done('sheet.set_name', { file_id, name: 'shows', refers_to: '=FORMULATEXT(Sheet1!$B$1)' });
    await done('sheet.set_conditional_format', { ...on, ranges: ['B1:B2'], kind: 'bar', hide_value: true });
    await done('sheet.set_dimension_visible', { ...on, dimension_type: 'col', index: 3, count: 1, visible: false });
    const { secret } = await newLink(file_id);
    const view = await read(server(), secret, 'get_view', { sheet_id, ...whole, layout: true });
    expect(view.data.cells).toEqual([
      [0, 0, 'salary', 0],
      [0, 1, '', 1],
      [0, 2, '', 0],
      [1, 0, '2468', 1],
      [1, 1, '', 1],
      [1, 2, '', 0],
      [2, 0, '7', 1],
      [2, 1, '', 0],
      [2, 2, '', 0],
      [3, 0, 'merged', 0],
    ]);
    expect(view.data.formats).toMatchObject([
      { row: 0, col: 1, hide_value: true },
      { row: 1, col: 1, hide_value: true },
    ]);
    expect(view.data.layout.used).toBe('A1:C4');
    expect(view.text).not.toMatch(/1234|covered/);
    const edge = async (row: number, col: number): Promise<unknown> =>
      (await read(server(), secret, 'find_edge', { sheet_id, row, col, direction: 'down' })).data;
    expect(await edge(0, 3)).toEqual({ row: 199, col: 3 });
    expect(await edge(0, 0)).toEqual({ row: 3, col: 0 });
    const asked = { sheet_id, row: 0, col: 3, direction: 'down', shown_only: false };
    expect((await read(server(), secret, 'find_edge', asked)).data).toEqual({ row: 199, col: 3 });
    expect((await read(server(), secret, 'get_view', { sheet_id, ...whole, shown_only: false })).text).not.toContain(
      '1234',
    );
  });

  test('[T86] answers to nothing else: no other document, tool, write or key, and takes no place of one', async () => {
    const { file_id, sheet_id } = await done('manage.create_file', { title: 'One' });
    const other = await done('manage.create_file', { title: 'Other' });
    await done('sheet.write', { file_id: other.file_id, range: 'A1', rows: [['elsewhere']] });
    const { secret } = await newLink(file_id);
    for (const what of ['get_history', 'list_objects', 'get_cell_data', 'set_cell_value', 'constructor', 'toString'])
      expect(await read(server(), secret, what, { sheet_id })).toMatchObject({ status: 404, code: 310011 });
    const asked = { sheet_id, ...whole, file_id: other.file_id, file_url: `${server().url}/sheet/${other.file_id}` };
    expect((await read(server(), secret, 'get_view', asked)).data.cells).toEqual([]);
    expect(await read(server(), secret, 'get_view', { ...asked, sheet_id: other.sheet_id })).toMatchObject({
      code: 310003,
    });
    expect(await read(server(), secret, 'get_view', { sheet_id, ...whole, end_row: -1 })).toMatchObject({
      code: 310001,
    });
    for (const [name, value] of [
      ['authorization', `Bearer ${secret}`],
      ['cookie', `sheaf_session=${secret}`],
    ] as const) {
      const response = await fetch(`${server().url}/openapi/sheet/v1/get_sheet_info`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', [name]: value },
        body: JSON.stringify({ file_id }),
      });
      expect(response.status).toBe(401);
    }
  });

  test('[T86] the address has 128 bits and more, of which a hash is kept; nothing is indexed, cached or passed on', async () => {
    const { file_id } = await done('manage.create_file', { title: 'Kept' });
    const { secret } = await newLink(file_id);
    expect(secret).toMatch(/^pl_[0-9a-z]{9}[0-9a-z]{52}$/);
    const rows = await server().app.database.all<Record<string, unknown>>(
      'SELECT * FROM public_link WHERE document_id = ?',
      file_id,
    );
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(secret.slice(12));
    const { headers } = await read(server(), secret, 'open');
    expect(headers.get('x-robots-tag')).toContain('noindex');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('[T86] it ends: by its time, when it is ended, with its document, with its maker', async () => {
    const ada = await server().newUser();
    const { file_id } = await done('manage.create_file', { title: 'Ends' }, ada);
    const forever = await newLink(file_id, {}, ada);
    const short = await newLink(file_id, { expire_time: Date.now() + 1500 }, ada);
    const byHand = await newLink(file_id, {}, ada);
    expect((await read(server(), short.secret, 'open')).code).toBe(0);
    await done('manage.end_public_link', { file_id, link_id: byHand.link_id }, ada);
    expect(await read(server(), byHand.secret, 'open')).toMatchObject(ended);
    await expect.poll(() => read(server(), short.secret, 'open'), { timeout: 10_000 }).toMatchObject(ended);
    expect((await done('manage.list_public_links', { file_id }, ada)).links.map((one: any) => one.link_id)).toEqual([
      forever.link_id,
    ]);
    await done('manage.delete_file', { file_id }, ada);
    expect(await read(server(), forever.secret, 'open')).toMatchObject(ended);
    await done('manage.restore_file', { file_id }, ada);
    expect((await read(server(), forever.secret, 'open')).code).toBe(0);
    await done('account.suspend_user', { user_id: ada.userId });
    expect(await read(server(), forever.secret, 'open')).toMatchObject(ended);
    await done('account.resume_user', { user_id: ada.userId });
    expect((await read(server(), forever.secret, 'open')).code).toBe(0);
    await done('account.delete_user', { user_id: ada.userId });
    expect(await read(server(), forever.secret, 'open')).toMatchObject(ended);
    expect(await server().app.database.all('SELECT id FROM public_link WHERE user_id = ?', ada.userId)).toEqual([]);
    expect(await read(server(), 'pl_nonsense', 'open')).toMatchObject(ended);
    expect(await read(server(), '', 'open')).toMatchObject({ status: 401 });
  });

  test('what links count against the quota comes back, when they end and when their document is forgotten', async () => {
    const ada = await server().newUser();
    const used = async (): Promise<number> =>
      (await server().app.database.get<{ bytes: number }>(
        'SELECT bytes FROM storage_use WHERE user_id = ?',
        ada.userId,
      ))!.bytes;
    const { file_id } = await done('manage.create_file', { title: 'Counted' }, ada);
    const before = await used();
    const { link_id } = await newLink(file_id, {}, ada);
    await newLink(file_id, {}, ada);
    expect(await used()).toBe(before + 2 * publicLinkBytes);
    await done('manage.end_public_link', { file_id, link_id }, ada);
    expect(await used()).toBe(before + publicLinkBytes);
    await done('manage.delete_file', { file_id }, ada);
    const stamp = { at: Date.now(), userId: '', keyId: '', operation: 'job:test', requestId: '' };
    await server().app.services.sheets.purge(stamp, Date.now() + 1000, 100);
    expect(await used()).toBe(0);
  });

  test('creating and ending one is in the audit, under the document', async () => {
    const { file_id } = await done('manage.create_file', { title: 'Audited' });
    const { link_id } = await newLink(file_id);
    await done('manage.end_public_link', { file_id, link_id });
    const rows = await server().app.database.all<{ operation: string }>(
      "SELECT operation FROM audit WHERE target = ? AND operation LIKE 'manage.%public_link' ORDER BY id",
      file_id,
    );
    expect(rows.map(({ operation }) => operation)).toEqual(['manage.create_public_link', 'manage.end_public_link']);
  });
});

test('[T86] one address may ask so often and no more, whichever links it has; guessing is slowed down sooner', async () => {
  const server = await startServer({ database: 'sqlite', clock: { now: () => 1_800_000_000_000 } });
  try {
    const { data } = await server.call('http', 'manage', 'create_file', { title: 'Asked often' });
    const { data: made } = await server.call('http', 'manage', 'create_public_link', { file_id: data.file_id });
    const secret = new URL(made.url as string).hash.slice(1);
    const codes = [];
    for (let times = 0; times < 125; times++) codes.push((await read(server, secret, 'open')).status);
    expect(codes.filter((status) => status === 200)).toHaveLength(120);
    const refused = await read(server, secret, 'open');
    expect(refused).toMatchObject({ status: 429, code: 20002 });
    expect(refused.headers.get('retry-after')).toBe('1');
  } finally {
    await server.close();
  }
});
