import { expect, test } from 'vitest';
import { eachServer, type Key } from '@sheaf/tools/testing/test-server.ts';

const linkEnded = 'this link has ended, or there never was one; ask who sent it for another';

eachServer('sharing', (server) => {
  const ask = (name: string, input: object, as?: Key) => {
    const [module, operation] = name.split('.') as [string, string];
    return server().call('http', module, operation, input, as);
  };
  const done = async (name: string, input: object, as?: Key): Promise<any> => {
    const answer = await ask(name, input, as);
    expect([name, answer.code, answer.msg]).toEqual([name, 0, 'success']);
    return answer.data;
  };
  const newNote = async (content: string, as?: Key, folder?: string): Promise<string> =>
    (await done('note.import_doc', { content_format: 1, content, ...(folder ? { folder_id: folder } : {}) }, as))
      .note_id;
  const visit = async (module: string, read: string, secret: string, input: object = {}): Promise<any> => {
    const response = await fetch(`${server().url}/public/${module}/v1/${read}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-sheaf-link': secret },
      body: JSON.stringify(input),
    });
    return response.json();
  };
  const publish = async (kind: string, id: string, as?: Key, more: object = {}) => {
    const { url, link } = await done('sharing.publish', { kind, id, ...more }, as);
    return { url: url as string, linkId: link.link_id as string, secret: (url as string).split(/[#.]/).at(-1)! };
  };

  test('a note is read, written and found by whom it is shared with; the six operations stay their author’s', async () => {
    const [ada, ben, eve] = [await server().newUser(), await server().newUser(), await server().newUser()];
    const id = await newNote('# Plan\n\nquincewort', ada);
    await done('sharing.share', { kind: 'note', id, user_id: ben.userId, role: 'read' }, ada);
    expect((await done('note.export_note', { note_id: id }, ben)).content).toBe('# Plan\n\nquincewort');
    const text = { note_id: id, content: '# Plan\n\nchanged' };
    expect(await ask('note.update_note', text, ben)).toMatchObject({ code: 210034 });
    await done('sharing.share', { kind: 'note', id, user_id: ben.userId, role: 'write' }, ada);
    expect((await done('note.update_note', text, ben)).version).toBe(2);
    expect((await done('note.get_note_history', { note_id: id }, ada)).versions).toHaveLength(2);
    for (const [name, input] of [
      ['note.get_doc_content', { note_id: id, target_content_format: 0 }],
      ['note.append_doc', { note_id: id, content_format: 1, content: 'x' }],
    ] as const)
      expect(await ask(name, input, ben)).toMatchObject({ code: 210005 });
    expect((await done('note.list_note', { cursor: '', limit: 20 }, ben)).note_book_list).toEqual([]);
    for (const forbidden of ['delete_note', 'restore_note'])
      expect((await ask(`note.${forbidden}`, { note_id: id }, ben)).code).toBe(210034);
    await expect
      .poll(async () => (await done('wiki.search_all', { query: 'changed' }, ben)).info_list, { timeout: 20_000 })
      .toMatchObject([{ kind: 'note', id, author_id: ada.userId }]);
    expect((await done('wiki.search_all', { query: 'changed' }, eve)).info_list).toEqual([]);
    expect((await ask('note.export_note', { note_id: id }, eve)).msg).toBe(
      `note_id: there is no note "${id}" of yours`,
    );
    expect(await done('sharing.list_shared_with_me', {}, ben)).toMatchObject({
      shared: [{ kind: 'note', id, title: 'Plan', role: 'write', owner_id: ada.userId }],
      is_end: true,
    });
    await done('note.delete_note', { note_id: id }, ada);
    expect((await ask('note.export_note', { note_id: id }, ben)).code).toBe(210034);
    expect((await done('sharing.list_shared_with_me', {}, ben)).shared).toEqual([]);
    await done('note.restore_note', { note_id: id }, ada);
    await done('sharing.unshare', { kind: 'note', id, user_id: ben.userId }, ada);
    expect((await ask('note.export_note', { note_id: id }, ben)).code).toBe(210034);
    expect((await done('wiki.search_all', { query: 'changed' }, ben)).info_list).toEqual([]);
  });

  test('tags of shared notes are in the lists and filters of those who may read them, and of nobody else', async () => {
    const [ada, ben, eve] = [await server().newUser(), await server().newUser(), await server().newUser()];
    const { folder } = await done('note.add_notebook', { name: 'Private name' }, ada);
    const id = await newNote('# Plan\n\n#harvest', ada, folder.folder_id);
    await newNote('# Own\n\n#harvest', ben);
    await newNote('# Hidden\n\n#harvest #hidden', ada);
    const { file_id } = await done('manage.create_file', { title: 'Figures' }, ada);
    await done('manage.tag_file', { file_id, add: ['harvest'] }, ada);
    const counts = async (as: Key): Promise<any> => (await done('wiki.list_tags', {}, as)).tags;
    expect(await counts(ben)).toEqual([{ tag: 'harvest', items: 0, notes: 1, sheets: 0 }]);
    await done('sharing.share', { kind: 'note', id, user_id: ben.userId, role: 'read' }, ada);
    await done('sharing.share', { kind: 'sheet', id: file_id, everyone: true, role: 'read' }, ada);
    expect(await counts(ben)).toEqual([{ tag: 'harvest', items: 0, notes: 2, sheets: 1 }]);
    expect(await counts(eve)).toEqual([{ tag: 'harvest', items: 0, notes: 0, sheets: 1 }]);
    const { entries } = await done('wiki.list_tags', { tag: 'harvest', kinds: ['note'] }, ben);
    expect(entries.map((one: any) => one.title).sort()).toEqual(['Own', 'Plan']);
    const { notes } = await done('note.browse_notes', { tag: 'harvest', sort_type: 2 }, ben);
    expect(notes.map((one: any) => [one.title, one.note_ext_info.folder_name])).toEqual([
      ['Own', 'Uncategorized'],
      ['Plan', ''],
    ]);
    // The author's change is in the reader's lists at once.
    await done('note.update_note', { note_id: id, content: '# Plan\n\n#winter' }, ada);
    expect((await done('note.read_note', { note_id: id, tags: true }, ben)).notes[0].tags).toEqual([
      { tag: 'winter', in_text: true },
    ]);
    expect((await counts(ben)).map((one: any) => one.tag)).toEqual(['harvest', 'winter']);
    await done('sharing.unshare', { kind: 'note', id, user_id: ben.userId }, ada);
    expect((await counts(ben)).map((one: any) => one.tag)).toEqual(['harvest']);
  });

  test('who renames a shared note is told which links stay; only what may be read is named', async () => {
    const [ada, ben] = [await server().newUser(), await server().newUser()];
    const id = await newNote('# Target', ada);
    const readable = await newNote('# Readable\n\n[[Target]]', ada);
    await newNote('# Secret\n\n[[Target]]', ada);
    await done('sharing.share', { kind: 'note', id, user_id: ben.userId, role: 'write' }, ada);
    await done('sharing.share', { kind: 'note', id: readable, user_id: ben.userId, role: 'read' }, ada);
    const renamed = await done('note.rename_note', { note_id: id, title: 'Aim' }, ben);
    const { name } = await done('account.get_me', {}, ada);
    expect(renamed).toMatchObject({
      links_changed: 0,
      links_unchanged: 2,
      unchanged_notes: [{ note_id: readable, title: 'Readable', author_name: name }],
    });
    expect(JSON.stringify(renamed)).not.toContain('Secret');
    expect(await done('note.export_note', { note_id: id }, ben)).toMatchObject({ role: 'write', author_name: name });
    expect(await done('note.export_note', { note_id: id }, ada)).not.toHaveProperty('role');
  });

  test('who renames a shared note may undo it with its links; who may no longer write them may not', async () => {
    const [ada, ben] = [await server().newUser(), await server().newUser()];
    const id = await newNote('# Target', ada);
    const linking = await newNote('# Linking\n\n[[Target]]', ada);
    for (const note of [id, linking])
      await done('sharing.share', { kind: 'note', id: note, user_id: ben.userId, role: 'write' }, ada);
    const rename = async (title: string) => (await done('note.rename_note', { note_id: id, title }, ben)).change_id;
    const text = async () => (await done('note.export_note', { note_id: linking }, ada)).content;
    const change_id = await rename('Aim');
    expect((await ask('note.undo_note_change', { change_id }, ada)).code).toBe(210001);
    const undone = await done('note.undo_note_change', { change_id }, ben);
    expect(undone.notes.map((note: any) => note.title).sort()).toEqual(['Linking', 'Target']);
    expect(await text()).toContain('[[Target]]');
    const again = await rename('Aim');
    await done('sharing.share', { kind: 'note', id: linking, user_id: ben.userId, role: 'read' }, ada);
    expect((await ask('note.undo_note_change', { change_id: again }, ben)).code).toBe(210008);
    expect(await text()).toContain('[[Aim]]');
  });

  test('a notebook shares what is in it now; who may write may not share on, and only owners list shares', async () => {
    const [ada, ben] = [await server().newUser(), await server().newUser()];
    const { folder: outer } = await done('note.add_notebook', { name: 'Outer' }, ada);
    const { folder: inner } = await done(
      'note.add_notebook',
      { name: 'Inner', parent_folder_id: outer.folder_id },
      ada,
    );
    const note = await newNote('# Inside', ada, inner.folder_id);
    await done('sharing.share', { kind: 'notebook', id: outer.folder_id, everyone: true, role: 'write' }, ada);
    await done('note.export_note', { note_id: note }, ben);
    expect(
      (await done('sharing.list_shared_with_me', { folder_id: inner.folder_id }, ben)).shared.map((one: any) => one.id),
    ).toEqual([note]);
    const resource = { kind: 'note', id: note };
    expect((await ask('sharing.share', { ...resource, everyone: true, role: 'read' }, ben)).code).toBe(510007);
    expect((await ask('sharing.list_shares', resource, ben)).code).toBe(510007);
    expect((await ask('sharing.publish', resource, ben)).code).toBe(510007);
    await done('note.move_notes', { note_ids: [note], folder_id: '' }, ada);
    expect((await ask('note.export_note', { note_id: note }, ben)).code).toBe(210034);
    expect((await ask('sharing.list_shares', resource, ben)).code).toBe(510002);
    expect((await done('sharing.list_shares', { kind: 'notebook', id: outer.folder_id }, ada)).shares).toEqual([
      { with: 'everyone', name: '', role: 'write' },
    ]);
  });

  test('shares of bases and spreadsheets are those of the older operations; comment may comment and no more', async () => {
    const [ada, ben] = [await server().newUser(), await server().newUser()];
    const { file_id } = await done('manage.create_file', { title: 'Figures' }, ada);
    await done('manage.share_file', { file_id, user_id: ben.userId, role: 'viewer' }, ada);
    const sheet = { kind: 'sheet', id: file_id };
    const { name } = await done('account.get_me', {}, ben);
    expect((await done('sharing.list_shares', sheet, ada)).shares).toEqual([
      { with: 'user', user_id: ben.userId, name, role: 'read' },
    ]);
    const comment = { file_id, range: 'Sheet1!A1', text: 'why?' };
    expect((await ask('sheet.set_comment', comment, ben)).code).toBe(310007);
    await done('sharing.share', { ...sheet, user_id: ben.userId, role: 'comment' }, ada);
    await done('sheet.set_comment', comment, ben);
    expect((await ask('manage.rename_file', { file_id, title: 'No' }, ben)).code).toBe(310007);
    expect((await done('manage.query_file_info', { file_id }, ben)).file.role).toBe('viewer');
    const { knowledge_base_id: base } = await done('wiki.create_knowledge_base', { name: 'Papers' }, ada);
    await done('sharing.share', { kind: 'base', id: base, user_id: ben.userId, role: 'write' }, ada);
    const { members } = await done('wiki.list_members', { knowledge_base_id: base }, ada);
    expect(members.map((one: any) => one.role)).toEqual(['owner', 'editor']);
    await done('wiki.remove_member', { knowledge_base_id: base, user_id: ben.userId }, ada);
    expect((await done('sharing.list_shared_with_me', { kinds: ['base'] }, ben)).shared).toEqual([]);
    expect((await ask('sharing.unshare', { kind: 'base', id: base, user_id: ada.userId }, ada)).msg).toBe(
      'user_id: a knowledge base keeps at least one owner',
    );
  });

  test('[T90] nobody adds themselves to a group; who is removed is out at the next request', async () => {
    const [ada, ben] = [await server().newUser(), await server().newUser()];
    const { group } = await done('account.create_group', { name: `Editors ${ada.userId}` });
    const id = await newNote('# For the group', ada);
    await done('sharing.share', { kind: 'note', id, group_id: group.group_id, role: 'read' }, ada);
    const members = { group_id: group.group_id, user_ids: [ben.userId] };
    for (const name of ['add_group_members', 'remove_group_members'])
      expect((await ask(`account.${name}`, members, ben)).code).toBe(410007);
    for (const name of ['delete_group', 'list_group_members'])
      expect((await ask(`account.${name}`, { group_id: group.group_id }, ben)).code).toBe(410007);
    expect((await ask('account.create_group', { name: 'Mine' }, ben)).code).toBe(410007);
    expect((await ask('note.export_note', { note_id: id }, ben)).code).toBe(210034);
    expect(await done('account.add_group_members', members)).toEqual({ changed: 1 });
    await done('note.export_note', { note_id: id }, ben);
    await done('account.remove_group_members', members);
    expect((await ask('note.export_note', { note_id: id }, ben)).code).toBe(210034);
    await done('account.add_group_members', members);
    await done('account.delete_group', { group_id: group.group_id });
    expect((await ask('note.export_note', { note_id: id }, ben)).code).toBe(210034);
    expect((await done('sharing.list_shares', { kind: 'note', id }, ada)).shares).toEqual([]);
  });

  test('[T91] a link to a note shows that note and nothing else, and ends', async () => {
    const ada = await server().newUser();
    const id = await newNote('# Open\n\nfor all', ada);
    const other = await newNote('# Secret', ada);
    const { url, secret, linkId } = await publish('note', id, ada);
    expect(url).toBe(`${server().url}/p#note.${secret}`);
    expect((await visit('note', 'open', secret)).data).toEqual({ kind: 'note', title: 'Open', expire_time: 0 });
    expect((await visit('note', 'read', secret, { note_id: other })).data).toMatchObject({
      note_id: id,
      content: '# Open\n\nfor all',
    });
    for (const module of ['sheet', 'wiki']) expect((await visit(module, 'open', secret)).msg).toBe(linkEnded);
    expect((await done('sharing.list_published', { kind: 'note', id }, ada)).links).toMatchObject([
      { link_id: linkId, url },
    ]);
    const rows = await server().app.database.all('SELECT * FROM public_link WHERE document_id = ?', id);
    expect(JSON.stringify(rows)).not.toContain(secret.slice(12));
    await done('note.delete_note', { note_id: id }, ada);
    expect((await visit('note', 'read', secret)).msg).toBe(linkEnded);
    await done('note.restore_note', { note_id: id }, ada);
    expect((await visit('note', 'read', secret)).code).toBe(0);
    await done('sharing.unpublish', { kind: 'note', id, link_id: linkId }, ada);
    expect((await visit('note', 'read', secret)).msg).toBe(linkEnded);
    const mine = await publish('note', id, ada);
    await done('account.delete_user', { user_id: ada.userId });
    expect((await visit('note', 'open', mine.secret)).msg).toBe(linkEnded);
  });

  test('[T91] a link to a notebook shows what is in it now, one to a base its items; neither leads elsewhere', async () => {
    const ada = await server().newUser();
    const { folder } = await done('note.add_notebook', { name: 'Public' }, ada);
    const inside = await newNote('# Inside', ada, folder.folder_id);
    const outside = await newNote(`# Outside\n\nsee [[Inside]]`, ada);
    const { secret } = await publish('notebook', folder.folder_id, ada);
    expect((await visit('note', 'list', secret)).data.notes.map((one: any) => one.title)).toEqual(['Inside']);
    expect((await visit('note', 'read', secret, { note_id: inside })).data.content).toBe('# Inside');
    expect((await visit('note', 'read', secret, { note_id: outside })).code).toBe(210034);
    await done('note.move_notes', { note_ids: [inside], folder_id: '' }, ada);
    expect((await visit('note', 'read', secret, { note_id: inside })).code).toBe(210034);
    expect((await visit('note', 'list', secret)).data.notes).toEqual([]);

    const base = (name: string) => done('wiki.create_knowledge_base', { name }, ada);
    const [shown, hidden] = [await base('Shown'), await base('Hidden')];
    const upload = async (knowledge_base_id: string, text: string): Promise<string> => {
      const content = Buffer.from(text).toString('base64');
      return (await done('wiki.upload_knowledge', { knowledge_base_id, file_name: 'a.md', content }, ada)).media_id;
    };
    const item = await upload(shown.knowledge_base_id, 'visible text');
    const foreign = await upload(hidden.knowledge_base_id, 'hidden text');
    const link = await publish('base', shown.knowledge_base_id, ada);
    await expect
      .poll(async () => (await visit('wiki', 'read', link.secret, { media_id: item })).data?.content)
      .toBe('visible text');
    expect((await visit('wiki', 'list', link.secret)).data.entries).toMatchObject([{ kind: 'item', id: item }]);
    const { data: file } = await visit('wiki', 'file', link.secret, { media_id: item });
    expect(await (await fetch(file.url)).text()).toBe('visible text');
    for (const read of ['read', 'file'])
      expect(JSON.stringify(await visit('wiki', read, link.secret, { media_id: foreign }))).not.toMatch(
        /hidden text|"code":0/,
      );
    expect((await visit('wiki', 'list', link.secret, { folder_id: hidden.knowledge_base_id })).code).not.toBe(0);
    await done('wiki.delete_knowledge_base', { knowledge_base_id: shown.knowledge_base_id }, ada);
    expect((await visit('wiki', 'open', link.secret)).msg).toBe(linkEnded);
  });

  test('a key shares only what its modules work with; a deleted user’s shares and memberships end', async () => {
    const [ada, ben] = [await server().newUser(), await server().newUser()];
    const id = await newNote('# Scoped', ada);
    const made = await done('account.create_key', { name: 'k', modules: ['sharing', 'wiki'] }, ada);
    const key = { userId: ada.userId, clientId: made.key.client_id, apiKey: made.api_key };
    expect((await ask('sharing.share', { kind: 'note', id, everyone: true, role: 'read' }, key)).msg).toBe(
      'kind: this API key has no write access to the module note, which note needs',
    );
    await done('sharing.share', { kind: 'note', id, user_id: ben.userId, role: 'read' }, ada);
    expect((await done('sharing.list_shared_with_me', { kinds: ['note'] }, ben)).shared).toHaveLength(1);
    await done('account.delete_user', { user_id: ben.userId });
    expect((await done('sharing.list_shares', { kind: 'note', id }, ada)).shares).toEqual([]);
  });
});
