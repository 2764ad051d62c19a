import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eachServer } from '@sheaf/tools/testing/test-server.ts';

eachServer('round trip', (server) => {
  const call = (operation: string, input: unknown) => server().call('http', 'note', operation, input);

  test(
    '[N99] fuzzed Unicode comes back as it was sent, through import, append and update',
    { timeout: 120_000 },
    async () => {
      // NUL is the one character that requests may not hold.
      const text = fc
        .string({ unit: 'binary', minLength: 1, maxLength: 3000 })
        .map((value) => value.replaceAll('\0', '?'))
        .filter((value) => value.trim() !== '');
      await fc.assert(
        fc.asyncProperty(text, text, text, async (first, second, third) => {
          const { note_id } = (await call('import_doc', { content_format: 1, content: first })).data;
          expect((await call('export_note', { note_id })).data.content).toBe(first);
          expect((await call('append_doc', { note_id, content_format: 1, content: second })).code).toBe(0);
          const { content } = (await call('export_note', { note_id })).data as { content: string };
          expect(content.startsWith(first)).toBe(true);
          expect(content.endsWith(second)).toBe(true);
          expect(content.slice(first.length, content.length - second.length)).toMatch(/^\n{0,2}$/);
          await call('update_note', { note_id, content: third });
          expect((await call('export_note', { note_id })).data.content).toBe(third);
          expect((await call('export_note', { note_id, version: 1 })).data.content).toBe(first);
          expect((await call('get_doc_content', { note_id, target_content_format: 0 })).code).toBe(0);
          expect((await call('list_note', { cursor: '', limit: 1 })).data.note_book_list[0].note_id).toBe(note_id);
        }),
        { numRuns: 60 },
      );
    },
  );
});
