import { expect, test, vi } from 'vitest';
import { enqueueUploads, retryUpload, uploads } from '../src/features/knowledge/upload-queue.ts';

const { createFolder } = vi.hoisted(() => ({ createFolder: vi.fn() }));
vi.mock('../src/features/knowledge/upload-file.ts', () => ({ uploadFile: async () => undefined }));
vi.mock('../src/lib/api-client.ts', async (original) => ({
  ...(await original<object>()),
  sheaf: { wiki: { create_folder: createFolder, check_repeated_names: async () => ({ results: [] }) } },
}));

test('an upload whose folder could not be created can be tried again', async () => {
  createFolder.mockRejectedValueOnce(new Error('away')).mockResolvedValue({ folder_id: 'folder_1' });
  enqueueUploads([{ file: new File(['text'], 'a.txt'), path: ['plans'] }], { base: 'base_1', folder: '' });
  const state = () => uploads.get()[0]!.state;
  await vi.waitFor(() => expect(state()).toBe('failed'));
  retryUpload(uploads.get()[0]!.id);
  await vi.waitFor(() => expect(state()).toBe('done'));
  expect(createFolder).toHaveBeenCalledTimes(2);
});
