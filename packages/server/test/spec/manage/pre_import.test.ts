import { expect, test } from 'vitest';
import { onOperation, refused } from './support.ts';

onOperation('pre_import', ({ call, server }) => {
  test('[M11] an address for one PUT, within the hour, and the key for import_file', async () => {
    const { code, data } = await call('pre_import', { file_name: 'big.csv' });
    expect([code, data.max_size]).toEqual([0, 64 * 2 ** 20]);
    expect(data.expired_time * 1000 - Date.now()).toBeGreaterThan(55 * 60_000);
    expect(await call('import_file', { title: 'Early', file_key: data.file_key })).toEqual(
      refused(310004, 'file_key: nothing was uploaded there; PUT the file to upload_url first'),
    );
    const csv = Array.from({ length: 3000 }, (_, i) => `row ${i},${i}\n`).join('');
    expect((await fetch(data.upload_url, { method: 'PUT', body: csv })).status).toBe(200);
    expect((await fetch(data.upload_url, { method: 'PUT', body: csv })).status).toBe(409);
    const made = await call('import_file', { title: 'Big', file_key: data.file_key });
    expect(made.code).toBe(0);
    const { sheets, file_id } = made.data;
    const read = await server().call('http', 'sheet', 'get_used_range', { file_id, sheet_id: sheets[0].sheet_id });
    expect(read.data).toMatchObject({ end_row: 2999, end_col: 1 });
  });

  test("[M11] what was uploaded is its uploader's alone", async () => {
    const { data } = await call('pre_import', {});
    await fetch(data.upload_url, { method: 'PUT', body: 'a,b\n' });
    expect(
      await call('import_file', { title: 'Stolen', file_key: data.file_key }, await server().newUser()),
    ).toMatchObject({ code: 310004, data: {} });
    expect(await call('import_file', { title: 'Mine', file_key: data.file_key })).toMatchObject({ code: 0 });
  });

  test('[M11] a changed address is none', async () => {
    const { upload_url } = (await call('pre_import', {})).data;
    expect(
      (await fetch((upload_url as string).replace('/import_', '/import_0'), { method: 'PUT', body: 'x' })).status,
    ).toBe(403);
  });
});
