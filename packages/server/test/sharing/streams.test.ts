import { expect, test } from 'vitest';
import { eventsOf } from '../mcp/wire.ts';
import { eachServer, type Key } from '@sheaf/tools/testing/test-server.ts';

/** Less than the heartbeat of ten seconds, which would end the stream of anyone without access. */
const atOnceMs = 5000;

eachServer('streams of shared notes', (server) => {
  const done = async (name: string, input: object, as?: Key): Promise<any> => {
    const [module, operation] = name.split('.') as [string, string];
    const answer = await server().call('http', module, operation, input, as);
    expect([name, answer.code, answer.msg]).toEqual([name, 0, 'success']);
    return answer.data;
  };

  async function watch(noteId: string, as: Key) {
    const abort = new AbortController();
    const response = await fetch(`${server().url}/openapi/note/v1/events?note_id=${noteId}`, {
      headers: { authorization: `Bearer ${as.apiKey}` },
      signal: abort.signal,
    });
    const heard: any[] = [];
    const stream = { status: response.status, heard, isEnded: false, close: () => abort.abort() };
    void (async () => {
      try {
        for await (const event of eventsOf(response)) heard.push(event);
      } catch (error) {
        if (!abort.signal.aborted) throw error;
      }
      stream.isEnded = true;
    })();
    await expect.poll(() => heard.length).toBe(1);
    return stream;
  }

  async function sharedByNotebook(ada: Key) {
    const { folder: outer } = await done('note.add_notebook', { name: `Outer ${Math.random()}` }, ada);
    const { folder: inner } = await done(
      'note.add_notebook',
      { name: 'Inner', parent_folder_id: outer.folder_id },
      ada,
    );
    const input = { content_format: 1, content: '# Inside', folder_id: inner.folder_id };
    const { note_id: id } = await done('note.import_doc', input, ada);
    await done('sharing.share', { kind: 'notebook', id: outer.folder_id, everyone: true, role: 'read' }, ada);
    return { id: id as string, outer: outer.folder_id as string, inner: inner.folder_id as string };
  }

  test.each([
    ['the note moves', 'note.move_notes', ({ id }) => ({ note_ids: [id], folder_id: '' })],
    ['the note is deleted', 'note.delete_note', ({ id }) => ({ note_id: id })],
    ['its notebook is deleted', 'note.delete_notebook', ({ inner }) => ({ folder_id: inner })],
    [
      'its notebook moves',
      'note.rename_notebook',
      ({ inner }, ada) => ({ folder_id: inner, name: 'Inner', parent_folder_id: `user_list_${ada.userId}` }),
    ],
  ] as [string, string, (shared: Awaited<ReturnType<typeof sharedByNotebook>>, ada: Key) => object][])(
    'a reader hears no more when %s',
    async (_what, name, input) => {
      const [ada, ben] = [await server().newUser(), await server().newUser()];
      const shared = await sharedByNotebook(ada);
      const stream = await watch(shared.id, ben);
      await done(name, input(shared, ada), ada);
      await expect.poll(() => stream.isEnded, { timeout: atOnceMs }).toBe(true);
      expect(JSON.stringify(stream.heard.slice(2))).toBe('[]');
    },
  );

  test('a tag that somebody adds to a shared note is told to its author and its readers', async () => {
    const [ada, ben, cem] = [await server().newUser(), await server().newUser(), await server().newUser()];
    const { note_id: id } = await done('note.import_doc', { content_format: 1, content: '# Shared' }, ada);
    await done('sharing.share', { kind: 'note', id, user_id: ben.userId, role: 'write' }, ada);
    await done('sharing.share', { kind: 'note', id, user_id: cem.userId, role: 'read' }, ada);
    const streams = [await watch(id, ada), await watch(id, cem)];
    await done('note.tag_note', { note_id: id, add: ['later'] }, ben);
    for (const stream of streams) {
      await expect.poll(() => stream.heard[1]).toMatchObject({ operation: 'note.tag_note', target: id });
      stream.close();
    }
  });

  test('[finding G8] [[titles]] lead to spreadsheets and items shared by a group or with everyone', async () => {
    const [ada, ben] = [await server().newUser(), await server().newUser()];
    const { group } = await done('account.create_group', { name: `Readers ${ada.userId}` });
    await done('account.add_group_members', { group_id: group.group_id, user_ids: [ben.userId] });
    const { file_id: sheet } = await done('manage.create_file', { title: 'Shared budget' }, ada);
    const { knowledge_base_id: base } = await done('wiki.create_knowledge_base', { name: 'Papers' }, ada);
    const content = Buffer.from('# Terms').toString('base64');
    const upload = { knowledge_base_id: base, file_name: 'Shared terms.md', content };
    const { media_id: item } = await done('wiki.upload_knowledge', upload, ada);
    await done('sharing.share', { kind: 'sheet', id: sheet, group_id: group.group_id, role: 'comment' }, ada);
    await done('sharing.share', { kind: 'base', id: base, everyone: true, role: 'read' }, ada);
    const text = 'see [[shared budget]] and [[Shared terms.md]]';
    const { note_id: id } = await done('note.import_doc', { content_format: 1, content: text }, ben);
    const { links } = await done('note.list_links', { note_id: id }, ben);
    expect(links.map((link: any) => [link.kind, link.target_id])).toEqual([
      ['sheet', sheet],
      ['item', item],
    ]);
    await done('account.remove_group_members', { group_id: group.group_id, user_ids: [ben.userId] });
    const { links: later } = await done('note.list_links', { note_id: id }, ben);
    expect(later.map((link: any) => link.target_id)).toEqual([undefined, item]);
  });
});
