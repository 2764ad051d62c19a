import { expect, test } from 'vitest';
import { gif, jpeg, png, webp } from '@sheaf/tools/testing/tiny-images.ts';
import { base64, onOperation, refused } from './support.ts';

onOperation('upload_image', ({ call, create, server, sheet }) => {
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

  test('[M9] with_url also gives a lasting address that shows the image to whoever has it', async () => {
    const { image_id, url } = (await call('upload_image', { content: png, with_url: true })).data;
    const address = new URL(url);
    expect(address.pathname).toBe(`/files/images/${image_id}`);
    expect(Number(address.searchParams.get('expires')) * 1000).toBeGreaterThan(Date.parse('2100-01-01'));
    const shown = await fetch(new URL(address.pathname + address.search, server().url));
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(Buffer.from(await shown.arrayBuffer()).toString('base64')).toBe(png);
    address.searchParams.set('expires', '99999999999');
    const altered = await fetch(new URL(address.pathname + address.search, server().url));
    expect(altered.status).toBe(403);
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
