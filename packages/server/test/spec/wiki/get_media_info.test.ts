import { expect, test } from 'vitest';
import { onSurface, type TestServer } from '@sheaf/tools/testing/test-server.ts';
import { wikiKit } from './support.ts';

for (const blobs of ['files', 's3'] as const) {
  onSurface(
    'wiki',
    `get_media_info, ${blobs}`,
    (call, server) => {
      const kit = wikiKit(call);

      test('[W90] a file: a link that gives its bytes', async () => {
        const base = await kit.base();
        const media_id = await kit.file(base, 'hello.md', '# Hello 世界');
        const { media_type, url_info, notebook_ext_info } = await kit.done('get_media_info', { media_id });
        expect([media_type, url_info.headers, notebook_ext_info]).toEqual([7, {}, undefined]);
        const response = await fetch(url_info.url);
        expect([response.status, await response.text()]).toEqual([200, '# Hello 世界']);
      });

      test('[W91] an item whose original is gone has no url_info', async () => {
        const base = await kit.base();
        const media_id = await kit.file(base, 'gone.md', 'x');
        await removeBytes(server(), media_id);
        expect(await call('get_media_info', { media_id })).toEqual({
          code: 0,
          msg: 'success',
          data: { media_type: 7 },
        });
      });

      test('[W92] a note: its id', async () => {
        const base = await kit.base();
        const { data } = await server().call('http', 'note', 'import_doc', { content_format: 1, content: 'x' });
        const { media_id } = await kit.done('add_knowledge', {
          media_type: 11,
          title: 'N',
          knowledge_base_id: base,
          note_info: { content_id: data.note_id },
        });
        expect(await call('get_media_info', { media_id })).toEqual({
          code: 0,
          msg: 'success',
          data: { media_type: 11, notebook_ext_info: { notebook_id: data.note_id } },
        });
      });

      test('[W93][T43] a member who was removed gets no new link', async () => {
        const base = await kit.base();
        const user = await server().newUser();
        await kit.member(base, user, 'viewer');
        const media_id = await kit.file(base, 'a.md', 'x');
        expect(await call('get_media_info', { media_id }, user)).toMatchObject({ code: 0 });
        await kit.done('remove_member', { knowledge_base_id: base, user_id: user.userId });
        expect(await call('get_media_info', { media_id }, user)).toMatchObject({ code: 110030, data: {} });
      });
    },
    { blobs },
  );
}

async function removeBytes(server: TestServer, mediaId: string): Promise<void> {
  const item = await server.app.services.wiki.items.item(mediaId);
  await server.app.services.blobs.delete(item!.blobKey);
}
