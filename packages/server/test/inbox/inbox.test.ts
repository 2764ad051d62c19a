import { expect, test } from 'vitest';
import { eachServer } from '@sheaf/tools/testing/test-server.ts';
import { callsOf } from './support.ts';

eachServer('the inbox', (server) => {
  const { ask, done, newNote, shareNote, nameOf, inbox } = callsOf(() => server());
  const users = async () => [await server().newUser(), await server().newUser(), await server().newUser()] as const;

  test('mentions, replies, comments and shares come to whom they concern, and to nobody else', async () => {
    const [ada, ben, eve] = await users();
    const id = await newNote('# Plan\n\npears', ada);
    await shareNote(id, ben, 'comment', ada);
    expect(await inbox(ben)).toMatchObject([
      { type: 'share', kind: 'note', id, title: 'Plan', by: [{ user_id: ada.userId, name: await nameOf(ada) }] },
    ]);
    const said = `@${await nameOf(ben)} look`;
    const { comment_id, entry_id } = await done('note.comment_note', { note_id: id, quote: 'pears', text: said }, ada);
    expect((await inbox(ben))[0]).toMatchObject({ type: 'mention', id, comment_id, entry_id, text: said, count: 1 });
    await done('note.comment_note', { note_id: id, comment_id, text: 'Seen.' }, ben);
    await done('note.comment_note', { note_id: id, comment_id, text: 'And done.' }, ben);
    expect(await inbox(ada)).toMatchObject([
      { type: 'reply', count: 2, text: 'And done.', is_read: false, by: [{ user_id: ben.userId }] },
    ]);
    expect(await inbox(eve)).toEqual([]);
    // A deleted comment leaves no line, an edited one its new text.
    const { entry_id: third } = await done(
      'note.comment_note',
      { note_id: id, text: `@${await nameOf(ben)} old` },
      ada,
    );
    const { comments } = await done('note.list_note_comments', { note_id: id }, ada);
    const other = comments.find((one: any) => one.comment_id !== comment_id).comment_id;
    await done('note.comment_note', { note_id: id, comment_id: other, entry_id: third, text: 'new words' }, ada);
    expect((await inbox(ben))[0].text).toBe('new words');
    await done('note.delete_note_comment', { note_id: id, comment_id: other, entry_id: third }, ada);
    expect((await inbox(ben)).map((one) => one.text)).toEqual([said, undefined]);
  });

  test('[T92] what was shared no longer has no line, no title, no text and no count, from the next read on', async () => {
    const [ada, ben] = await users();
    const id = await newNote('# Secret title\n\npears', ada);
    await shareNote(id, ben, 'comment', ada);
    await done('note.comment_note', { note_id: id, text: `@${await nameOf(ben)} secret words` }, ada);
    await done('inbox.follow', { kind: 'note', id }, ben);
    await done('note.update_note', { note_id: id, content: '# Secret title\n\nmore' }, ada);
    expect((await inbox(ben)).map((one) => one.type).sort()).toEqual(['change', 'mention', 'share']);
    await done('sharing.unshare', { kind: 'note', id, user_id: ben.userId }, ada);
    const after = await done('inbox.list_inbox', {}, ben);
    expect(JSON.stringify(after)).not.toMatch(/secret/i);
    expect(after.lines.filter((one: any) => one.type !== 'agent')).toEqual([]);
    expect(JSON.stringify(after)).not.toContain(id);
    expect((await done('inbox.list_followed', {}, ben)).followed).toEqual([]);
    // What was read while it was shared comes back with the share, because nothing of it is a copy.
    await shareNote(id, ben, 'read', ada);
    expect((await inbox(ben)).map((one) => one.type).sort()).toEqual(['change', 'mention', 'share']);
    await done('note.delete_note', { note_id: id }, ada);
    expect(await inbox(ben)).toEqual([]);
  });

  test('[T92] who leaves a group or loses everyone’s share loses the lines; a title is the one of now', async () => {
    const [ada, ben] = await users();
    const id = await newNote('# First title', ada);
    const { group } = await done('account.create_group', { name: `g${id.slice(-10)}` });
    await done('account.add_group_members', { group_id: group.group_id, user_ids: [ben.userId] });
    await done('sharing.share', { kind: 'note', id, group_id: group.group_id, role: 'read' }, ada);
    expect(await inbox(ben)).toMatchObject([{ type: 'share', title: 'First title' }]);
    await done('note.rename_note', { note_id: id, title: 'Second title' }, ada);
    expect(await inbox(ben)).toMatchObject([{ type: 'share', title: 'Second title' }]);
    await done('account.remove_group_members', { group_id: group.group_id, user_ids: [ben.userId] });
    expect(await inbox(ben)).toEqual([]);
    await done('sharing.share', { kind: 'note', id, everyone: true, role: 'read' }, ada);
    expect(await inbox(ben)).toMatchObject([{ type: 'share', id }]);
    await done('sharing.unshare', { kind: 'note', id, everyone: true }, ada);
    expect(await inbox(ben)).toEqual([]);
  });

  test('comments on cells mention and answer as those on notes do', async () => {
    const [ada, ben] = await users();
    const { file_id, sheet_id } = await done('manage.create_file', { title: 'Budget' }, ada);
    await done('sharing.share', { kind: 'sheet', id: file_id, user_id: ben.userId, role: 'comment' }, ada);
    const said = `@${await nameOf(ben)} is this right?`;
    const on = { file_id, sheet_id };
    const { comment_id } = await done('sheet.set_comment', { ...on, row: 1, col: 1, text: said }, ada);
    expect((await inbox(ben))[0]).toMatchObject({
      type: 'mention',
      kind: 'sheet',
      id: file_id,
      title: 'Budget',
      comment_id,
      text: said,
    });
    await done('sheet.set_comment', { ...on, comment_id, text: 'It is.' }, ben);
    expect((await inbox(ada))[0]).toMatchObject({ type: 'reply', text: 'It is.', comment_id });
    const { entries } = (await done('sheet.list_objects', { ...on, object_types: ['comment'] }, ada)).comments[0];
    const edit = { ...on, comment_id, entry_id: entries[1].entry_id, text: 'It is, nearly.' };
    await done('sheet.set_comment', edit, ben);
    expect((await inbox(ada))[0]).toMatchObject({ type: 'reply', text: 'It is, nearly.' });
    const gone = { ...on, comment_id, entry_id: entries[1].entry_id, delete: true };
    expect((await ask('sheet.set_comment', { ...gone, entry_id: entries[0].entry_id }, ben)).code).toBe(310007);
    await done('sheet.set_comment', gone, ben);
    expect(await inbox(ada)).toEqual([]);
    await done('sheet.set_comment', { ...on, comment_id, text: 'Again.' }, ben);
    await done('sharing.unshare', { kind: 'sheet', id: file_id, user_id: ben.userId }, ada);
    expect(await inbox(ben)).toEqual([]);
    await done('sheet.delete_object', { ...on, object_type: 'comment', object_id: comment_id }, ada);
    expect(await inbox(ada)).toEqual([]);
  });

  test('a comment that a batch writes tells whom it mentions, until the sheet is reverted', async () => {
    const [ada, ben] = await users();
    const { file_id, sheet_id } = await done('manage.create_file', { title: 'Budget' }, ada);
    await done('sharing.share', { kind: 'sheet', id: file_id, user_id: ben.userId, role: 'comment' }, ada);
    const text = `@${await nameOf(ben)} see this`;
    const calls = [{ tool: 'set_comment', arguments: { sheet_id, row: 1, col: 1, text } }];
    const before = await inbox(ben);
    const { results } = await done('sheet.batch', { file_id, calls }, ada);
    const { comment_id } = results[0];
    expect((await inbox(ben))[0]).toMatchObject({ type: 'mention', comment_id, text });
    const { revisions } = await done('sheet.get_history', { file_id }, ada);
    await done('sheet.revert', { file_id, version: revisions[0].version - 1 }, ada);
    expect(await inbox(ben)).toEqual(before);
  });

  test('what others change in what one follows is one line for each object, with who; one’s own changes are none', async () => {
    const [ada, ben] = await users();
    const id = await newNote('# Followed', ada);
    const { file_id, sheet_id } = await done('manage.create_file', { title: 'Sheet' }, ada);
    const { knowledge_base_id: base } = await done('wiki.create_knowledge_base', { name: 'Base' }, ada);
    const { folder } = await done('note.add_notebook', { name: 'Book' }, ada);
    const resources = [
      ['note', id],
      ['sheet', file_id],
      ['base', base],
      ['notebook', folder.folder_id],
    ] as const;
    for (const [kind, id] of resources) {
      expect((await ask('inbox.follow', { kind, id }, ben)).code).toBe(610002);
      await done('sharing.share', { kind, id, user_id: ben.userId, role: 'write' }, ada);
      await done('inbox.follow', { kind, id }, ben);
    }
    expect((await done('inbox.list_followed', {}, ben)).followed.map((one: any) => one.title)).toEqual([
      'Book',
      'Base',
      'Sheet',
      'Followed',
    ]);
    for (let n = 1; n <= 3; n++) await done('note.update_note', { note_id: id, content: `# Followed\n\n${n}` }, ada);
    await done('note.update_note', { note_id: id, content: '# Followed\n\nown' }, ben);
    const cell = { row: 0, col: 0, value_type: 'NUMBER', number_value: 1 };
    await done('sheet.set_cell_value', { file_id, sheet_id, cell }, ada);
    await done('wiki.upload_knowledge', { knowledge_base_id: base, file_name: 'a.txt', content: 'YQ==' }, ada);
    await done('note.import_doc', { content_format: 1, content: '# Inside', folder_id: folder.folder_id }, ada);
    const changes = async () =>
      Object.fromEntries(
        (await inbox(ben, { types: ['change'] })).map((one) => [
          one.title,
          [one.count, one.by.map((user: any) => user.user_id)],
        ]),
      );
    expect(await changes()).toEqual({
      Followed: [3, [ada.userId]],
      Sheet: [1, [ada.userId]],
      Base: [1, [ada.userId]],
      Book: [1, [ada.userId]],
    });
    for (const [kind, id] of resources)
      expect(await done('inbox.unfollow', { kind, id }, ben)).toEqual({ ended: true });
    expect(await changes()).toEqual({});
    // Who chose not to follow does not follow again by a comment; others do.
    await done('note.comment_note', { note_id: id, text: 'Mine.' }, ben);
    expect((await done('inbox.list_followed', {}, ben)).followed).toEqual([]);
    await done('sharing.share', { kind: 'note', id, everyone: true, role: 'comment' }, ada);
    const eve = await server().newUser();
    await done('note.comment_note', { note_id: id, text: 'Hers.' }, eve);
    expect((await done('inbox.list_followed', {}, eve)).followed).toMatchObject([{ kind: 'note', id }]);
    await done('sharing.unshare', { kind: 'note', id, everyone: true }, ada);
  });

  test('what agents did is one line for each key and day, however much it was', async () => {
    const [ada] = await users();
    const made = await done('account.create_key', { name: 'Helper' }, ada);
    const key = { userId: ada.userId, clientId: made.key.client_id, apiKey: made.api_key };
    for (let n = 0; n < 20; n++) await newNote(`# ${n}`, key);
    await done('manage.create_file', { title: 'x' }, key);
    const lines = (await done('inbox.list_inbox', { types: ['agent'] }, ada)).lines;
    expect(lines.filter((one: any) => one.key_name === 'Helper')).toMatchObject([
      {
        count: 21,
        key_id: made.key.key_id,
        operations: [
          { operation: 'note.import_doc', count: 20 },
          { operation: 'manage.create_file', count: 1 },
        ],
      },
    ]);
  });

  test('lines are read and unread; a line with news is unread again and counts only them', async () => {
    const [ada, ben] = await users();
    const id = await newNote('# Plan', ada);
    await shareNote(id, ben, 'comment', ada);
    const say = (words: string, comment_id?: string) =>
      done('note.comment_note', { note_id: id, text: words, ...(comment_id ? { comment_id } : {}) }, ada);
    await done('inbox.follow', { kind: 'note', id }, ben);
    const { comment_id } = await say('one');
    await say('two', comment_id);
    const types = { types: ['comment', 'share'] };
    const read = async () =>
      (await done('inbox.list_inbox', types, ben)).lines.map((one: any) => [one.type, one.is_read, one.count]);
    expect(await read()).toEqual([
      ['comment', false, 2],
      ['share', false, 1],
    ]);
    const [line] = await inbox(ben, types);
    await done('inbox.mark_inbox_read', { line_ids: [line.line_id] }, ben);
    expect((await read())[0].slice(0, 2)).toEqual(['comment', true]);
    expect(await inbox(ben, { ...types, unread_only: true })).toMatchObject([{ type: 'share' }]);
    await new Promise((resolve) => setTimeout(resolve, 2));
    await say('three', comment_id);
    expect((await read())[0]).toEqual(['comment', false, 1]);
    await done('inbox.mark_inbox_read', { all: true }, ben);
    expect(await done('inbox.list_inbox', {}, ben)).toMatchObject({ unread: 0 });
    await done('inbox.mark_inbox_read', { line_ids: [line.line_id], unread: true }, ben);
    const again = await done('inbox.list_inbox', { unread_only: true }, ben);
    expect(again.lines.map((one: any) => one.line_id)).toContain(line.line_id);
    expect((await ask('inbox.mark_inbox_read', {}, ben)).msg).toBe('line_ids: send either line_ids or all');
    expect((await ask('inbox.mark_inbox_read', { all: true, unread: true }, ben)).code).toBe(610001);
  });

  test('a line marked as unread stays so when all up to an earlier time are marked as read', async () => {
    const [ada, ben] = await users();
    const id = await newNote('# Plan', ada);
    await shareNote(id, ben, 'comment', ada);
    const until = Date.now();
    await new Promise((resolve) => setTimeout(resolve, 2));
    const { comment_id } = await done('note.comment_note', { note_id: id, text: `@${await nameOf(ben)} one` }, ada);
    await done('inbox.mark_inbox_read', { all: true }, ben);
    const lines = await inbox(ben, { types: ['mention', 'share'] });
    const line_ids = lines.map((one) => one.line_id);
    await done('inbox.mark_inbox_read', { line_ids, unread: true }, ben);
    await done('inbox.mark_inbox_read', { all: true, until }, ben);
    expect(await inbox(ben, { types: ['mention', 'share'], unread_only: true })).toMatchObject([
      { type: 'mention', comment_id },
    ]);
  });

  test('pages of the list have every line once', async () => {
    const [ada, ben] = await users();
    for (let n = 0; n < 7; n++) await shareNote(await newNote(`# ${n}`, ada), ben, 'read', ada);
    const seen: string[] = [];
    for (let cursor = '', end = false; !end;) {
      const page = await done('inbox.list_inbox', { types: ['share'], limit: 3, cursor }, ben);
      seen.push(...page.lines.map((one: any) => one.title));
      [cursor, end] = [page.next_cursor, page.is_end];
    }
    expect([...seen].sort()).toEqual(['0', '1', '2', '3', '4', '5', '6']);
  });

  test('a key sees lines of the modules that it may read only', async () => {
    const [ada, ben] = await users();
    await shareNote(await newNote('# Hidden from this key', ada), ben, 'read', ada);
    const { file_id } = await done('manage.create_file', { title: 'Open' }, ada);
    await done('sharing.share', { kind: 'sheet', id: file_id, user_id: ben.userId, role: 'read' }, ada);
    const made = await done('account.create_key', { name: 'k', modules: ['inbox', 'sheet'], access: 'read' }, ben);
    const key = { userId: ben.userId, clientId: made.key.client_id, apiKey: made.api_key };
    expect((await inbox(key)).map((one) => one.title)).toEqual(['Open']);
    expect((await ask('inbox.follow', { kind: 'sheet', id: file_id }, key)).code).toBe(610007);
    const other = await done('account.create_key', { name: 'k', modules: ['sheet'] }, ben);
    const without = { userId: ben.userId, clientId: other.key.client_id, apiKey: other.api_key };
    expect((await ask('inbox.list_inbox', {}, without)).code).toBe(610007);
  });

  test('a deleted user leaves an empty inbox, and the comments stay with their note', async () => {
    const [ada, ben] = await users();
    const id = await newNote('# Plan', ada);
    await shareNote(id, ben, 'comment', ada);
    await done('note.comment_note', { note_id: id, text: `@${await nameOf(ben)} hi` }, ada);
    await done('note.comment_note', { note_id: id, text: 'Stays.' }, ben);
    await done('inbox.mark_inbox_read', { all: true }, ben);
    await done('account.delete_user', { user_id: ben.userId });
    const { database } = server().app;
    for (const table of ['comment_notice', 'follow', 'inbox_read'])
      expect(await database.get(`SELECT COUNT(*) AS n FROM ${table} WHERE user_id = ?`, ben.userId)).toEqual({ n: 0 });
    const { comments } = await done('note.list_note_comments', { note_id: id }, ada);
    expect(comments[1].entries).toMatchObject([{ text: 'Stays.', author: { user_id: ben.userId, name: '' } }]);
  });

  test('open pages hear of it: the inbox of who is mentioned, and the note', async () => {
    const [ada, ben] = await users();
    const id = await newNote('# Plan', ada);
    await shareNote(id, ben, 'comment', ada);
    const control = new AbortController();
    const listen = async (path: string) => {
      const response = await fetch(`${server().url}/openapi/${path}`, {
        headers: { authorization: ben.apiKey },
        signal: control.signal,
      });
      const reader = response.body!.getReader();
      let heard = '';
      void (async () => {
        for (;;) {
          const { value, done: isDone } = await reader.read();
          if (isDone) return;
          heard += new TextDecoder().decode(value);
        }
      })().catch(() => undefined);
      return () => heard;
    };
    const [own, note] = [await listen('inbox/v1/events'), await listen(`note/v1/events?note_id=${id}`)];
    await expect.poll(own).toContain('data: {}');
    await done('note.comment_note', { note_id: id, text: `@${await nameOf(ben)} private words` }, ada);
    await expect.poll(own).toContain('data: {"inbox":"changed"}');
    await expect.poll(note).toContain('note.comment_note');
    expect(own() + note()).not.toContain('private');
    control.abort();
  });
});
