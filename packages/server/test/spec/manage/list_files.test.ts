import { expect, test } from 'vitest';
import { onOperation, refused } from './support.ts';

onOperation('list_files', ({ call, create, server, sheet, share }) => {
  test('[M3] newest change first, with what query_file_info tells', async () => {
    const me = await server().newUser();
    const files = [];
    for (const title of ['one', 'two', 'three']) {
      files.push(await create(title, me));
      await new Promise((done) => setTimeout(done, 5));
    }
    await sheet('set_range_value_by_csv', { ...files[0], csv_data: 'x' }, me);
    const { data } = await call('list_files', { cursor: '', limit: 10 }, me);
    expect(data.files.map((one: any) => [one.title, one.role, one.version, one.file_type])).toEqual([
      ['one', 'owner', 2, 'sheet'],
      ['three', 'owner', 1, 'sheet'],
      ['two', 'owner', 1, 'sheet'],
    ]);
    expect(data.is_end).toBe(true);
  });

  test('[M3] pages neither repeat nor skip, also when something is added in between', async () => {
    const me = await server().newUser();
    for (let i = 0; i < 5; i++) await create(`f${i}`, me);
    const seen: string[] = [];
    let cursor = '';
    for (let page = 0; page < 5; page++) {
      const { data } = await call('list_files', { cursor, limit: 2 }, me);
      seen.push(...data.files.map((one: any) => one.title));
      if (page === 0) await create('late', me);
      cursor = data.next_cursor;
      if (data.is_end) break;
    }
    expect([...seen].sort()).toEqual(['f0', 'f1', 'f2', 'f3', 'f4']);
    expect((await call('list_files', { cursor: '0', limit: 50 }, me)).data.files).toHaveLength(6);
  });

  test("[M3] documents one was given are listed with one's role; the trash only when asked", async () => {
    const me = await server().newUser();
    const given = await create('Given');
    const mine = await create('Mine', me);
    await share(given.file_id, me, 'editor');
    await call('delete_file', { file_id: mine.file_id }, me);
    const titles = async (deleted?: boolean) =>
      (await call('list_files', { cursor: '', limit: 50, deleted }, me)).data.files.map((one: any) => [
        one.title,
        one.role,
      ]);
    expect(await titles()).toEqual([['Given', 'editor']]);
    expect(await titles(false)).toEqual([['Given', 'editor']]);
    expect(await titles(true)).toEqual([['Mine', 'owner']]);
  });

  test('[M3] limit is 1 to 50; a cursor that is none is 310001', async () => {
    expect(await call('list_files', { cursor: '', limit: 51 })).toEqual(
      refused(310001, 'limit: must be at most 50 (got 51)'),
    );
    expect(await call('list_files', { cursor: '', limit: 0 })).toEqual(
      refused(310001, 'limit: must be at least 1 (got 0)'),
    );
    expect(await call('list_files', { cursor: 'x', limit: 1 })).toEqual(
      refused(310001, 'cursor: must be a next_cursor from a previous page (got "x")'),
    );
  });
});
