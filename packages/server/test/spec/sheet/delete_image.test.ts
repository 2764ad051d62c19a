import { expect, test } from 'vitest';
import { png } from '@sheaf/tools/testing/tiny-images.ts';
import { done, onTool } from './support.ts';

onTool('delete_image', ({ sheet }) => {
  test('[S115] removes an image; one that is gone is 310004', async () => {
    const s = await sheet();
    for (const row_index of [2, 4]) await s.ok('insert_image', { row_index, col_index: 1, content: png });
    const { object_id } = (await s.ok('get_images')).images[0];
    expect(await s.call('delete_image', { object_id })).toEqual(done);
    expect((await s.ok('get_images')).images.map((one: any) => one.name)).toEqual(['Image 2']);
    expect(await s.call('delete_image', { object_id })).toMatchObject({ code: 310004, data: {} });
  });
});
