import { expect, test } from 'vitest';
import { newId } from '../../../src/lib/ids.ts';
import { onOperation } from './support.ts';

onOperation('search_file', ({ call, create, server, share, sheet }) => {
  /** Search follows writes within a moment. */
  const found = async (query: string, as: Awaited<ReturnType<ReturnType<typeof server>['newUser']>>, want: number) => {
    for (let tries = 0; ; tries++) {
      const { data } = await call('search_file', { query }, as);
      if (data.total === want || tries === 100) return data;
      await new Promise((done) => setTimeout(done, 100));
    }
  };

  test('[M8] titles and cells, also two Chinese characters; the title first', async () => {
    const me = await server().newUser();
    const word = newId('word').replace('_', '');
    const inCells = await create('Cells', me);
    await sheet('set_range_value_by_csv', { ...inCells, csv_data: `x,the ${word} here\n,季度预算\n` }, me);
    const inTitle = await create(`${word} plan`, me);
    const { files, total } = await found(word, me, 2);
    expect([total, files.map((one: any) => one.file_id)]).toEqual([2, [inTitle.file_id, inCells.file_id]]);
    expect(files[0]).toMatchObject({ title: `${word} plan`, file_type: 'sheet', role: 'owner' });
    expect((await found('预算', me, 1)).files[0].file_id).toBe(inCells.file_id);
  });

  test('[M8] only what the caller may see; offset and limit', async () => {
    const [me, other] = [await server().newUser(), await server().newUser()];
    const word = newId('word').replace('_', '');
    const files = [];
    for (let i = 0; i < 3; i++) files.push(await create(`${word} ${i}`, me));
    expect((await found(word, me, 3)).files).toHaveLength(3);
    expect(await call('search_file', { query: word }, other)).toEqual({
      code: 0,
      msg: 'success',
      data: { files: [], total: 0, list: [] },
    });
    await call('share_file', { file_id: files[0]!.file_id, user_id: other.userId, role: 'viewer' }, me);
    expect((await found(word, other, 1)).files.map((one: any) => [one.file_id, one.role])).toEqual([
      [files[0]!.file_id, 'viewer'],
    ]);
    const page = async (offset: number) => (await call('search_file', { query: word, offset, limit: 2 }, me)).data;
    expect([(await page(0)).files.length, (await page(2)).files.length, (await page(0)).total]).toEqual([2, 1, 3]);
    await call('delete_file', { file_id: files[1]!.file_id }, me);
    expect((await found(word, me, 2)).files).toHaveLength(2);
    expect(await share('doc_none', other, 'viewer')).toMatchObject({ code: 310002 });
  });

  test('[M8] query is required and not empty', async () => {
    expect(await call('search_file', { query: '' })).toMatchObject({ code: 310001, data: {} });
    expect(await call('search_file', { query: 'x'.repeat(257) })).toMatchObject({ code: 310001, data: {} });
  });
});
