import { expect, test } from 'vitest';
import { eachServer, type Key } from '@sheaf/tools/testing/test-server.ts';
import { newNote, storedText } from './writer.ts';

eachServer('suggestions', (server) => {
  const call = (operation: string, input: object, as?: Key) => server().call('http', 'note', operation, input, as);
  const open = async (id: string, as?: Key) => (await call('list_suggestions', { note_id: id }, as)).data.suggestions;
  const suggested = async (id: string, edits: object[], as?: Key): Promise<string> =>
    (await call('edit_note', { note_id: id, edits, suggest: true }, as)).data.suggestion_id;

  test('a change is suggested, listed with what it removes and inserts, and accepted whole or in part', async () => {
    const id = await newNote(server(), '# Plan\n\nMonday: rest\n\nFriday: rest\n');
    const content = '# Plan\n\nMonday: work\n\nFriday: work\n';
    const answer = await call('update_note', { note_id: id, content, suggest: true });
    expect(answer).toMatchObject({ code: 0, data: { note_id: id, version: 1 } });
    expect(await storedText(server(), id)).toBe('# Plan\n\nMonday: rest\n\nFriday: rest\n');
    const { suggestion_id: suggestion } = answer.data;
    expect(await open(id)).toMatchObject([
      {
        suggestion_id: suggestion,
        user_id: server().owner.userId,
        base_version: 1,
        edits: [
          { number: 1, line: 3, position: 16, old: 'rest', new: 'work', state: 'open', stale: false },
          { number: 2, line: 5, position: 30, old: 'rest', new: 'work', state: 'open', stale: false },
        ],
      },
    ]);
    expect(
      await call('decide_suggestion', { note_id: id, suggestion_id: suggestion, accept: true, numbers: [2] }),
    ).toMatchObject({ code: 0, data: { version: 2 } });
    expect(await storedText(server(), id)).toBe('# Plan\n\nMonday: rest\n\nFriday: work\n');
    expect(
      await call('decide_suggestion', { note_id: id, suggestion_id: suggestion, accept: true, numbers: [2] }),
    ).toMatchObject({ code: 210008 });
    expect(await call('decide_suggestion', { note_id: id, suggestion_id: suggestion, accept: false })).toMatchObject({
      code: 0,
      data: { version: 2 },
    });
    expect(await open(id)).toEqual([]);
  });

  test('a suggestion holds where it is while the text around it changes', async () => {
    const id = await newNote(server(), 'one\n\ntwo\n\nthree\n');
    const suggestion = await suggested(id, [{ old: 'two', new: 'TWO' }]);
    await call('edit_note', { note_id: id, edits: [{ old: 'one', new: 'a longer first line' }] });
    await call('append_doc', { note_id: id, content_format: 1, content: 'four' });
    expect(await call('decide_suggestion', { note_id: id, suggestion_id: suggestion, accept: true })).toMatchObject({
      code: 0,
    });
    expect(await storedText(server(), id)).toBe('a longer first line\n\nTWO\n\nthree\n\nfour');
  });

  test('a change whose neighbour was accepted is accepted after it', async () => {
    const id = await newNote(server(), 'one two\n\nthree four\n');
    const suggestion = await suggested(id, [
      { old: 'two', new: 'TWO' },
      { old: 'three', new: 'THREE' },
    ]);
    for (const numbers of [[1], [2]])
      expect(
        await call('decide_suggestion', { note_id: id, suggestion_id: suggestion, accept: true, numbers }),
      ).toMatchObject({ code: 0 });
    expect(await storedText(server(), id)).toBe('one TWO\n\nTHREE four\n');
  });

  test('text is suggested at the end, and the line before it may change meanwhile', async () => {
    const id = await newNote(server(), '# Plan\n\nlast');
    const suggestion = await suggested(id, [{ new: 'an appendix', at_end: true }]);
    await call('edit_note', { note_id: id, edits: [{ old: 'last', new: 'last words' }] });
    expect((await open(id))[0].edits).toMatchObject([{ old: '', new: '\n\nan appendix\n', stale: false }]);
    expect(await call('decide_suggestion', { note_id: id, suggestion_id: suggestion, accept: true })).toMatchObject({
      code: 0,
    });
    expect(await storedText(server(), id)).toBe('# Plan\n\nlast words\n\nan appendix\n');
    expect(await call('edit_note', { note_id: id, edits: [{ old: 'last', new: 'x', at_end: true }] })).toMatchObject({
      code: 210001,
      msg: expect.stringContaining('at_end'),
    });
  });

  test('a decision is undone: the text is as before and the change is open again', async () => {
    const id = await newNote(server(), 'one\n\ntwo\n\nthree\n');
    const suggestion = await suggested(id, [
      { old: 'one', new: 'the first' },
      { old: 'two', new: '' },
      { old: 'three', new: 'THREE' },
    ]);
    const decide = (more: object) => call('decide_suggestion', { note_id: id, suggestion_id: suggestion, ...more });
    await decide({ accept: true, numbers: [1, 2] });
    await decide({ accept: false });
    expect([await storedText(server(), id), await open(id)]).toEqual(['the first\n\n\nthree\n', []]);
    await call('append_doc', { note_id: id, content_format: 1, content: 'later' });
    expect(await decide({ undo: true, numbers: [2, 3] })).toMatchObject({ code: 0 });
    expect(await storedText(server(), id)).toBe('the first\n\ntwo\n\nthree\n\nlater');
    const states = (await open(id))[0].edits.map(({ state }: { state: string }) => state);
    expect(states).toEqual(['accepted', 'open', 'open']);
    expect(await decide({ undo: true, numbers: [2] })).toMatchObject({ code: 210008 });
    await call('edit_note', { note_id: id, edits: [{ old: 'the first', new: 'the very first' }] });
    expect(await decide({ undo: true })).toMatchObject({
      code: 210008,
      msg: 'numbers: the text at change 1 was changed since it was suggested',
    });
    for (const input of [{}, { accept: true, undo: true }])
      expect(await decide(input)).toMatchObject({ code: 210001, msg: expect.stringContaining('accept') });
  });

  test('the history says how many suggestions await a decision', async () => {
    const id = await newNote(server(), 'one\n\ntwo\n');
    const count = async () => (await call('get_note_history', { note_id: id, limit: 1 })).data.open_suggestions;
    expect(await count()).toBe(0);
    const suggestion = await suggested(id, [{ old: 'two', new: 'TWO' }]);
    expect(await count()).toBe(1);
    await call('decide_suggestion', { note_id: id, suggestion_id: suggestion, accept: false });
    expect(await count()).toBe(0);
  });

  test('[T93] a stale suggestion is a conflict and changes nothing', async () => {
    const id = await newNote(server(), 'one\n\ntwo\n\nthree\n');
    const suggestion = await suggested(id, [{ old: 'two', new: 'TWO' }]);
    await call('edit_note', { note_id: id, edits: [{ old: 'two', new: 'two and a half' }] });
    expect(await call('decide_suggestion', { note_id: id, suggestion_id: suggestion, accept: true })).toEqual({
      code: 210008,
      msg: 'numbers: the text at change 1 was changed since it was suggested',
      data: {},
    });
    expect(await storedText(server(), id)).toBe('one\n\ntwo and a half\n\nthree\n');
    expect(await open(id)).toMatchObject([{ edits: [{ number: 1, stale: true }] }]);
  });

  test('[T93] it is written with the rights of the one who suggests and accepted with those of the one who accepts', async () => {
    const id = await newNote(server(), 'one\n\ntwo\n');
    const other = await newNote(server(), 'another');
    const [ben, eve] = [await server().newUser(), await server().newUser()];
    const share = (role: string) =>
      server().call('http', 'sharing', 'share', { kind: 'note', id, user_id: ben.userId, role });
    await share('write');
    const edits = [{ old: 'two', new: 'TWO' }];
    expect(await call('edit_note', { note_id: id, edits, suggest: true }, eve)).toMatchObject({ code: 210034 });
    const suggestion = await suggested(id, edits, ben);
    expect(suggestion).toMatch(/^suggestion_/);
    await share('read');
    expect(await call('edit_note', { note_id: id, edits, suggest: true }, ben)).toMatchObject({ code: 210034 });
    const decision = { note_id: id, suggestion_id: suggestion, accept: true };
    for (const as of [ben, eve]) {
      expect(await call('decide_suggestion', decision, as)).toMatchObject({ code: 210034, data: {} });
    }
    expect(await call('list_suggestions', { note_id: id }, eve)).toMatchObject({ code: 210034, data: {} });
    expect(await call('decide_suggestion', { ...decision, note_id: other })).toMatchObject({ code: 210001 });
    expect(await call('decide_suggestion', decision)).toMatchObject({ code: 0 });
    const { data } = await call('get_note_history', { note_id: id });
    expect(data.versions[0].operation).toBe('note.decide_suggestion');
    expect(await storedText(server(), id)).toBe('one\n\nTWO\n');
  });

  test('of two who decide at the same time one is refused', async () => {
    const id = await newNote(server(), 'one\n\ntwo\n');
    const suggestion = await suggested(id, [{ old: 'two', new: 'TWO' }]);
    const decision = { note_id: id, suggestion_id: suggestion, accept: true };
    const codes = (await Promise.all([call('decide_suggestion', decision), call('decide_suggestion', decision)])).map(
      ({ code }) => code,
    );
    expect(codes.toSorted((a, b) => a - b)).toEqual([0, 210008]);
    expect(await storedText(server(), id)).toBe('one\n\nTWO\n');
  });

  test('it counts against the quota of the note’s author and is deleted with the note', async () => {
    const id = await newNote(server(), 'one\n\ntwo\n');
    const used = async (): Promise<number> =>
      (await server().app.database.get<{ bytes: number }>(
        'SELECT bytes FROM storage_use WHERE user_id = ?',
        server().owner.userId,
      ))!.bytes;
    const before = await used();
    await suggested(id, [{ old: 'two', new: 'w'.repeat(5000) }]);
    expect((await used()) - before).toBeGreaterThan(5000);
    await call('delete_note', { note_id: id });
    const stamp = { at: Date.now(), userId: '', keyId: '', operation: 'test', requestId: '' };
    await server().app.services.notes.purge(stamp, Date.now() + 60_000, 10);
    expect(await used()).toBe(before - Buffer.byteLength('one\n\ntwo\n'));
    expect(await server().app.database.all('SELECT id FROM note_suggestion WHERE note_id = ?', id)).toEqual([]);
  });
});
