import { expect, test } from 'vitest';
import { eachServer } from '@sheaf/tools/testing/test-server.ts';
import { callsOf } from './support.ts';

const text = '# Plan\n\nWe buy **three** pears today.\n\n## Later\n\nWe buy **three** apples.';

eachServer('comments on notes', (server) => {
  const { ask, done, newNote, shareNote, nameOf } = callsOf(() => server());
  const users = async () => [await server().newUser(), await server().newUser(), await server().newUser()] as const;

  test('a thread is about a quoted text: begun, answered, edited, resolved, reopened and deleted', async () => {
    const [ada, ben] = await users();
    const id = await newNote(text, ada);
    await shareNote(id, ben, 'comment', ada);
    const begun = await done('note.comment_note', { note_id: id, quote: 'three pears', text: 'Why three?' }, ben);
    expect(begun).toMatchObject({ note_id: id, mentioned: [], not_mentioned: [] });
    const { comment_id, entry_id } = begun;
    const reply = await done('note.comment_note', { note_id: id, comment_id, text: 'Because.' }, ada);
    expect(reply.comment_id).toBe(comment_id);
    await done('note.comment_note', { note_id: id, comment_id, entry_id, text: 'Why so many?' }, ben);
    const { comments, role, version } = await done('note.list_note_comments', { note_id: id }, ben);
    expect([role, version]).toEqual(['comment', 1]);
    expect(comments).toMatchObject([
      {
        comment_id,
        quote: 'three pears',
        heading: 'Plan',
        place: 'found',
        line: 3,
        resolved: false,
        entries: [
          { text: 'Why so many?', edited: true, author: { user_id: ben.userId }, may_edit: true, may_delete: true },
          { text: 'Because.', edited: false, author: { user_id: ada.userId }, may_edit: false, may_delete: false },
        ],
      },
    ]);
    await done('note.comment_note', { note_id: id, comment_id, resolved: true }, ben);
    const open = { note_id: id, include_resolved: false };
    expect((await done('note.list_note_comments', open, ada)).comments).toEqual([]);
    await done('note.comment_note', { note_id: id, comment_id, text: 'Not yet.', resolved: false }, ada);
    expect((await done('note.list_note_comments', open, ada)).comments[0].entries).toHaveLength(3);
    const others = { note_id: id, comment_id, entry_id: reply.entry_id };
    expect(await ask('note.delete_note_comment', others, ben)).toMatchObject({ code: 210034 });
    expect(await ask('note.comment_note', { ...others, text: 'forged' }, ben)).toMatchObject({ code: 210034 });
    // The author of the note may delete any entry, but not speak for others.
    const own = { note_id: id, comment_id, entry_id };
    expect(await ask('note.comment_note', { ...own, text: 'forged' }, ada)).toMatchObject({ code: 210034 });
    for (const { entry_id: each } of (await done('note.list_note_comments', open, ada)).comments[0].entries)
      await done('note.delete_note_comment', { note_id: id, comment_id, entry_id: each }, ada);
    expect((await done('note.list_note_comments', { note_id: id }, ada)).comments).toEqual([]);
  });

  test('a place follows its text through edits; a comment whose text is gone stays and says so', async () => {
    const [ada] = await users();
    const id = await newNote(text, ada);
    const quote = 'buy three';
    expect((await ask('note.comment_note', { note_id: id, quote, text: 'x' }, ada)).msg).toBe(
      'quote: occurs 2 times, in lines 3, 7; send line, or more of the text',
    );
    await done('note.comment_note', { note_id: id, quote, line: 7, text: 'apples' }, ada);
    await done('note.comment_note', { note_id: id, quote, after: ' pears', text: 'pears' }, ada);
    await done('note.comment_note', { note_id: id, text: 'all of it' }, ada);
    const places = async (): Promise<unknown> =>
      (await done('note.list_note_comments', { note_id: id }, ada)).comments.map((one: any) => [
        one.entries[0].text,
        one.place,
        one.line,
      ]);
    expect(await places()).toEqual([
      ['apples', 'found', 7],
      ['pears', 'found', 3],
      ['all of it', 'note', undefined],
    ]);
    const update = (content: string) => done('note.update_note', { note_id: id, content }, ada);
    await update(`# Plan\n\nNew first line.\n\n${text.slice(8)}`);
    expect(await places()).toMatchObject([
      ['apples', 'found', 9],
      ['pears', 'found', 5],
      ['all of it', 'note', undefined],
    ]);
    await update(text.replace('buy **three** apples', 'buy **four** apples'));
    expect(await places()).toMatchObject([
      ['apples', 'changed', 7],
      ['pears', 'found', 3],
      ['all of it', 'note', undefined],
    ]);
    await update('# Plan\n\nNothing.');
    expect(await places()).toMatchObject([
      ['apples', 'gone', undefined],
      ['pears', 'gone', undefined],
      ['all of it', 'note', undefined],
    ]);
    await update(text);
    expect(await places()).toMatchObject([
      ['apples', 'found', 7],
      ['pears', 'found', 3],
      ['all of it', 'note', undefined],
    ]);
    expect((await ask('note.comment_note', { note_id: id, quote: 'plums', text: 'x' }, ada)).msg).toBe(
      'quote: the note has no such text (got "plums")',
    );
    expect((await ask('note.comment_note', { note_id: id, quote, line: 5, text: 'x' }, ada)).msg).toBe(
      'line: the quote is not in this line, but in lines 3, 7 (got 5)',
    );
  });

  test('roles hold: who may read does not comment, who may not read sees nothing, a revoked role ends at once', async () => {
    const [ada, ben, eve] = await users();
    const id = await newNote(text, ada);
    const comment = { note_id: id, text: 'Hello.' };
    for (const user of [ben, eve]) {
      expect((await ask('note.comment_note', comment, user)).code).toBe(210034);
      expect((await ask('note.list_note_comments', { note_id: id }, user)).code).toBe(210034);
    }
    await shareNote(id, ben, 'read', ada);
    expect((await ask('note.comment_note', comment, ben)).msg).toBe(
      `note_id: the note "${id}" is shared with you to read, and you may not comment on it`,
    );
    expect((await done('note.list_note_comments', { note_id: id }, ben)).role).toBe('read');
    await shareNote(id, ben, 'comment', ada);
    const { comment_id } = await done('note.comment_note', comment, ben);
    expect((await ask('note.update_note', { note_id: id, content: 'x' }, ben)).code).toBe(210034);
    await done('sharing.unshare', { kind: 'note', id, user_id: ben.userId }, ada);
    expect((await ask('note.comment_note', { ...comment, comment_id }, ben)).code).toBe(210034);
    expect((await ask('note.list_note_comments', { note_id: id }, ben)).code).toBe(210034);
  });

  test('a mention names users who may read the note; others and nobody are told alike [T92]', async () => {
    const [ada, ben, eve] = await users();
    const id = await newNote(text, ada);
    await shareNote(id, ben, 'read', ada);
    const [benName, eveName] = [await nameOf(ben), await nameOf(eve)];
    const said = `@${benName}, @${eveName} and @nobody.here: see mail@${benName}`;
    const { mentioned, not_mentioned } = await done('note.comment_note', { note_id: id, text: said }, ada);
    expect(mentioned).toEqual([{ user_id: ben.userId, name: benName }]);
    expect(not_mentioned).toEqual([eveName, 'nobody.here']);
    const chinese = await done('note.comment_note', { note_id: id, text: `请@${benName}你看一下` }, ada);
    expect(chinese.mentioned).toMatchObject([{ user_id: ben.userId }]);
    const people = async (as = ada, more = {}): Promise<unknown> =>
      (await done('sharing.list_people', { kind: 'note', id, ...more }, as)).people.map((one: any) => one.name);
    expect(await people()).toEqual([await nameOf(ada), benName].sort());
    expect(await people(ada, { name: benName.slice(2).toUpperCase() })).toContain(benName);
    expect(await people(ada, { name: '%' })).toEqual([]);
    expect((await ask('sharing.list_people', { kind: 'note', id }, ben)).code).toBe(510007);
    expect((await ask('sharing.list_people', { kind: 'note', id }, eve)).code).toBe(510002);
  });

  test('texts count against the quota of the note’s author until they are deleted, also with the note', async () => {
    const [ada, ben] = await users();
    const id = await newNote(text, ada);
    await shareNote(id, ben, 'comment', ada);
    const used = async (user: { userId: string }): Promise<number> =>
      (
        await server().app.database.get<{ bytes: number }>(
          'SELECT bytes FROM storage_use WHERE user_id = ?',
          user.userId,
        )
      )?.bytes ?? 0;
    const [before, bens] = [await used(ada), await used(ben)];
    const words = '梨'.repeat(1000);
    const { comment_id, entry_id } = await done('note.comment_note', { note_id: id, text: words }, ben);
    expect(await used(ada)).toBe(before + 3000 + 512);
    await done('note.comment_note', { note_id: id, comment_id, entry_id, text: 'short' }, ben);
    expect(await used(ada)).toBe(before + 5 + 512);
    await done('note.delete_note_comment', { note_id: id, comment_id, entry_id }, ben);
    expect([await used(ada), await used(ben)]).toEqual([before, bens]);
    await done('note.comment_note', { note_id: id, text: words }, ben);
    await done('note.delete_note', { note_id: id }, ada);
    expect((await ask('note.comment_note', { note_id: id, text: 'late' }, ben)).code).toBe(210034);
    const { notes, clock } = server().app.services;
    const at = clock.now();
    await notes.purge({ at, userId: '', keyId: '', operation: 'job:purge', requestId: '' }, at + 1, 100);
    expect(await used(ada)).toBe(before - Buffer.byteLength(text));
    for (const table of ['note_thread', 'note_comment', 'comment_notice', 'follow'])
      expect(
        await server().app.database.get(
          `SELECT COUNT(*) AS n FROM ${table} WHERE ${table.startsWith('note') ? 'note_id' : 'subject_id'} = ?`,
          id,
        ),
      ).toEqual({ n: 0 });
  });

  test('a repeat with the same Idempotency-Key writes no second comment; wrong inputs name the field', async () => {
    const [ada] = await users();
    const id = await newNote(text, ada);
    const once = { note_id: id, text: 'Once.', idempotency_key: 'k1' };
    const call = () => server().call('mcp', 'note', 'comment_note', once, ada);
    const [first, second] = [await call(), await call()];
    expect([first.code, second.data.comment_id]).toEqual([0, first.data.comment_id]);
    expect((await done('note.list_note_comments', { note_id: id }, ada)).comments).toHaveLength(1);
    const wrong: [object, string][] = [
      [{}, 'text: is required for a new comment'],
      [{ text: ' ' }, 'text: must not be empty (got " ")'],
      [{ text: 'x', entry_id: 'e' }, 'comment_id: is required with entry_id'],
      [{ text: 'x', resolved: true }, 'comment_id: is required with resolved'],
      [{ comment_id: 'c', text: 'x' }, 'comment_id: the note has no comment "c"'],
      [{ comment_id: 'c', text: 'x', quote: 'y' }, 'quote: a thread keeps its place; send quote without comment_id'],
      [{ text: 'x', line: 3 }, 'quote: is required with before, after and line'],
    ];
    for (const [input, msg] of wrong)
      expect(await ask('note.comment_note', { note_id: id, ...input }, ada)).toMatchObject({ code: 210001, msg });
  });
});
