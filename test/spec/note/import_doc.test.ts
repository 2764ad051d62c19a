import { expect, test } from 'vitest';
import { eachSurface } from '../../support/server.ts';

eachSurface('note', 'import_doc', (call) => {
  test('[N1] makes a note', async () => {
    const made = await call('import_doc', { content_format: 1, content: '# Hello 世界\n\nBody **text**' });
    expect(made).toMatchObject({ code: 0, msg: 'success', data: { note_id: expect.stringMatching(/^note_/) } });
    const read = await call('get_doc_content', { note_id: made.data.note_id, target_content_format: 0 });
    expect(read.data.content).toBe('Hello 世界\n\nBody text');
  });
});
