import { expect, test } from 'vitest';
import { png } from '@sheaf/tools/testing/tiny-images.ts';
import { done, onTool } from './support.ts';

onTool('update_image', ({ sheet }) => {
  test('[S115] moves and resizes; an unknown image is 310004', async () => {
    const s = await sheet();
    await s.ok('insert_image', { row_index: 2, col_index: 1, content: png });
    const { object_id } = (await s.ok('get_images')).images[0];
    expect(
      await s.call('update_image', {
        object_id,
        location: { row_index: 5, col_index: 0, horizontal_offset: 3, width: 40, height: 30 },
      }),
    ).toEqual(done);
    expect((await s.ok('get_images')).images[0].location).toEqual({
      row_index: 5,
      col_index: 0,
      horizontal_offset: 3,
      vertical_offset: 0,
      width: 40,
      height: 30,
    });
    expect(
      await s.call('update_image', { object_id: 'image_none', location: { row_index: 0, col_index: 0 } }),
    ).toMatchObject({ code: 310004, data: {} });
  });
});
