import { expect, test } from 'vitest';
import { gif, jpeg, png, webp } from '@sheaf/tools/testing/tiny-images.ts';
import { nothing, onTool, refused } from './support.ts';

onTool('insert_image', ({ server, sheet }) => {
  const images = async (s: Awaited<ReturnType<typeof sheet>>) =>
    (await s.ok('get_sheet_object_list', { object_types: ['float_image'] })).objects.map((one: any) => [
      one.object_type,
      one.name,
      one.display_range.replace(`${s.sheet_id}$`, ''),
      one.data_range,
      one.float_image_width,
      one.float_image_height,
    ]);

  test('[S83] by content: PNG, JPEG, GIF, WebP, plain base64 or a data URL, with the size of their header', async () => {
    const s = await sheet();
    expect(await s.call('insert_image', { row_index: 1, col_index: 1, content: png })).toEqual(nothing);
    await s.ok('insert_image', { row_index: 5, col_index: 1, content: `data:image/gif;base64,${gif}` });
    await s.ok('insert_image', { row_index: 7, col_index: 1, content: jpeg });
    await s.ok('insert_image', { row_index: 9, col_index: 1, content: webp });
    expect(await images(s)).toEqual([
      ['float_image', 'Image 1', 'B2:B2', '', 1, 1],
      ['float_image', 'Image 2', 'B6:B6', '', 1, 1],
      ['float_image', 'Image 3', 'B8:B8', '', 3, 2],
      ['float_image', 'Image 4', 'B10:B10', '', 1, 1],
    ]);
  });

  test('[S83] by image_id of an image one uploaded; of others and unknown ones are 310004', async () => {
    const s = await sheet();
    const { data } = await server().call('http', 'manage', 'upload_image', { content: png });
    expect(await s.call('insert_image', { row_index: 9, col_index: 1, image_id: data.image_id })).toEqual(nothing);
    expect(await images(s)).toEqual([['float_image', 'Image 1', 'B10:B10', '', 1, 1]]);
    expect(await s.call('insert_image', { row_index: 0, col_index: 0, image_id: 'img_none' })).toEqual(
      refused(310004, 'image_id: there is no image "img_none" of yours'),
    );
    const theirs = await server().call('http', 'manage', 'upload_image', { content: png }, await server().newUser());
    expect(await s.call('insert_image', { row_index: 0, col_index: 0, image_id: theirs.data.image_id })).toEqual(
      refused(310004, `image_id: there is no image "${theirs.data.image_id}" of yours`),
    );
  });

  test('[S15] the grid grows to hold it, and taking it back takes that back', async () => {
    const s = await sheet();
    await s.ok('insert_image', { row_index: 300, col_index: 30, content: png });
    expect((await s.ok('get_sheet_info')).sheets[0]).toMatchObject({ row_count: 301, col_count: 31 });
    await s.ok('revert', { version: 1 });
    expect((await s.ok('get_sheet_info')).sheets[0]).toMatchObject({ row_count: 200, col_count: 26 });
  });

  test('[S83] exactly one of content and image_id', async () => {
    const s = await sheet();
    const one = 'content: send exactly one of content and image_id';
    expect(await s.call('insert_image', { row_index: 0, col_index: 0 })).toEqual(refused(310001, one));
    expect(await s.call('insert_image', { row_index: 0, col_index: 0, content: png, image_id: 'img_x' })).toEqual(
      refused(310001, one),
    );
    expect(await s.call('insert_image', { row_index: 0, content: png })).toEqual(
      refused(310001, 'col_index: is required'),
    );
    expect(await s.call('insert_image', { row_index: 0, col_index: 0, content: '', image_id: '' })).toEqual(
      refused(310001, one),
    );
    expect(await images(s)).toEqual([]);
    // Some clients send what they do not mean as empty text.
    expect(await s.call('insert_image', { row_index: 0, col_index: 0, content: png, image_id: '' })).toEqual(nothing);
    expect(await images(s)).toHaveLength(1);
  });

  test('[S84][T62] SVG, HTML and other things that claim to be images are 310001', async () => {
    const s = await sheet();
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    const wrong = [
      base64('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><script>alert(1)</script></svg>'),
      `data:image/png;base64,${base64('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"></svg>')}`,
      `data:image/png;base64,${base64('<!doctype html><script>alert(1)</script>')}`,
      base64('\x89PNG\r\n\x1a\n'),
      base64('BM'.padEnd(60, '\0')),
      '***',
      '',
    ];
    for (const content of wrong)
      expect(await s.call('insert_image', { row_index: 0, col_index: 0, content }), content.slice(0, 40)).toMatchObject(
        { code: 310001, data: {} },
      );
    expect(await images(s)).toEqual([]);
  });

  test('[S40] an image moves with its cell', async () => {
    const s = await sheet();
    await s.ok('insert_image', { row_index: 1, col_index: 1, content: png });
    await s.ok('insert_dimension', { dimension_type: 'row', index: 0, count: 2 });
    expect((await images(s))[0]![2]).toBe('B4:B4');
  });

  test('a dry run and a refused call store no image', async () => {
    const user = await server().newUser();
    const s = await sheet(undefined, user);
    const bytes = async () => {
      const { data } = await server().call('http', 'account', 'list_users', {});
      return data.users.find((one: any) => one.user_id === user.userId).stored_bytes;
    };
    const before = await bytes();
    const image = { row_index: 0, col_index: 0, content: png };
    expect(await s.call('insert_image', { ...image, dry_run: true }, user)).toMatchObject({ code: 0 });
    expect(await s.call('insert_image', { ...image, sheet_id: 'none' }, user)).toMatchObject({ code: 310003 });
    expect(await s.call('insert_image', { ...image, assert: 'FALSE' }, user)).toMatchObject({ code: 310008 });
    const calls = [{ tool: 'sheet_insert_image', arguments: { ...image, sheet_id: s.sheet_id } }];
    expect(await s.call('batch', { calls, dry_run: true }, user)).toMatchObject({ code: 0 });
    const failing = [...calls, { tool: 'delete_sheet', arguments: { sheet_id: 'none' } }];
    expect(await s.call('batch', { calls: failing }, user)).toMatchObject({ code: 310003 });
    expect(await bytes()).toBe(before);
    expect(await s.call('batch', { calls }, user)).toMatchObject({ code: 0 });
    expect(await bytes()).toBeGreaterThanOrEqual(before + Buffer.from(png, 'base64').length);
  });

  test('the audit names the document', async () => {
    const user = await server().newUser();
    const s = await sheet(undefined, user);
    await s.ok('insert_image', { row_index: 0, col_index: 0, content: png }, user);
    const { data } = await server().call('http', 'account', 'list_audit', { operation: 'sheet.insert_image' }, user);
    expect(data.rows.map((one: any) => one.target)).toEqual([s.file_id]);
  });
});
