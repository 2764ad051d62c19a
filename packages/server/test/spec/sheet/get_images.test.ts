import { expect, test } from 'vitest';
import { png } from '@sheaf/tools/testing/tiny-images.ts';
import { onTool } from './support.ts';

onTool('get_images', ({ sheet }) => {
  test('[S115] images with their place and a link to their bytes', async () => {
    const s = await sheet();
    expect(await s.ok('get_images')).toEqual({ images: [], expired_time: expect.any(Number) });
    await s.ok('insert_image', { row_index: 2, col_index: 1, content: png });
    const { images } = await s.ok('get_images');
    expect(images).toMatchObject([
      {
        object_id: expect.stringMatching(/^image_/),
        name: 'Image 1',
        content_type: 'image/png',
        location: { row_index: 2, col_index: 1, horizontal_offset: 0, vertical_offset: 0, width: 1, height: 1 },
      },
    ]);
    const bytes = await fetch(images[0].url as string);
    expect(bytes.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await bytes.arrayBuffer()).toString('base64')).toBe(png);
  });
});
