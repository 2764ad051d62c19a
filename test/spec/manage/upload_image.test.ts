import { expect, test } from 'vitest';
import { gif, jpeg, png, webp } from '../sheet/pictures.ts';
import { base64, onOperation, refused } from './support.ts';

onOperation('upload_image', ({ call, create, sheet }) => {
  test('[M9] PNG, JPEG, GIF and WebP, by their bytes, with their size', async () => {
    for (const [content, width, height] of [
      [png, 1, 1],
      [`data:image/png;base64,${gif}`, 1, 1],
      [jpeg, 3, 2],
      [webp, 1, 1],
    ] as const) {
      expect(await call('upload_image', { content })).toEqual({
        code: 0,
        msg: 'success',
        data: { image_id: expect.stringMatching(/^img_/), width, height },
      });
    }
  });

  test('[M9] insert_image takes the image_id, more than once', async () => {
    const file = await create();
    const { image_id } = (await call('upload_image', { content: png })).data;
    for (const row_index of [0, 5])
      expect(await sheet('insert_image', { ...file, row_index, col_index: 0, image_id })).toMatchObject({ code: 0 });
    expect((await sheet('get_sheet_object_list', file)).data.objects).toHaveLength(2);
  });

  test('[M9][T62] what is no such image is 310001, whatever it claims', async () => {
    for (const content of [
      base64('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"></svg>'),
      `data:image/png;base64,${base64('<!doctype html>')}`,
      base64('\x89PNG\r\n\x1a\n'),
      '***',
    ]) {
      expect(await call('upload_image', { content }), content.slice(0, 30)).toMatchObject({ code: 310001, data: {} });
    }
    expect(await call('upload_image', {})).toEqual(refused(310001, 'content: is required'));
  });

  test('[M9] up to 10 MiB', async () => {
    const padded = (bytes: number) =>
      Buffer.concat([Buffer.from(png, 'base64'), Buffer.alloc(bytes)])
        .subarray(0, bytes)
        .toString('base64');
    expect(await call('upload_image', { content: padded(10 * 2 ** 20) })).toMatchObject({ code: 0 });
    expect(await call('upload_image', { content: padded(10 * 2 ** 20 + 1) })).toEqual(
      refused(310006, 'content: must be at most 10485760 bytes (got 10485761)'),
    );
  });
});
