import { expect, test } from 'vitest';
import { eachServer, type Key } from '@sheaf/tools/testing/test-server.ts';
import { listen } from '../../mcp/wire.ts';

eachServer('[finding C17][finding G13] list_changes', (server) => {
  const done = async (name: string, input: object, as: Key = server().owner): Promise<any> => {
    const [module, operation] = name.split('.') as [string, string];
    const { code, msg, data } = await server().call('http', module, operation, input, as);
    expect([name, code, msg]).toEqual([name, 0, 'success']);
    return data;
  };
  /** Without what the server itself did: it parses what was uploaded. */
  const poll = async (cursor: string, as?: Key, more: object = {}): Promise<any> => {
    const page = await done('account.list_changes', { cursor, ...more }, as);
    return { ...page, changes: page.changes.filter((one: any) => !one.operation.startsWith('job:')) };
  };
  /** A cursor behind everything so far. */
  const now = async (as?: Key): Promise<string> => {
    let page = await poll('', as, { since: Date.now() + 60_000 });
    while (!page.is_end) page = await poll(page.next_cursor, as);
    return page.next_cursor;
  };

  test('tells titles, people, reasons and links of notes, bases, items and spreadsheets, from a cursor on', async () => {
    const start = await now();
    const note = await done('note.import_doc', { content_format: 1, content: '# Plan\n\none', reason: ' for Monday ' });
    await done('note.append_doc', { note_id: note.note_id, content_format: 1, content: 'two' });
    await done('note.append_doc', { note_id: note.note_id, content_format: 1, content: 'three', reason: 'more came' });
    const { knowledge_base_id: base } = await done('wiki.create_knowledge_base', { name: 'Library & co' });
    const item = await done('wiki.upload_knowledge', {
      knowledge_base_id: base,
      file_name: 'a.txt',
      content: Buffer.from('words').toString('base64'),
    });
    const { file_id: file } = await done('manage.create_file', { title: 'Costs' });
    await done('sheet.write', { file_id: file, range: 'A1', rows: [[1]], reason: 'a first figure' });
    await done('sharing.share', { kind: 'sheet', id: file, user_id: (await server().newUser()).userId, role: 'read' });
    const { changes, next_cursor: next, is_end: isEnd } = await poll(start);
    expect(isEnd).toBe(true);
    const told = changes.map((one: any) => [one.kind, one.title, one.operation, one.count, one.reason]);
    expect(told).toEqual([
      ['note', 'Plan', 'note.import_doc', 1, 'for Monday'],
      ['note', 'Plan', 'note.append_doc', 2, 'more came'],
      ['base', 'Library & co', 'wiki.create_knowledge_base', 1, undefined],
      ['item', 'a.txt', 'wiki.upload_knowledge', 1, undefined],
      ['sheet', 'Costs', 'manage.create_file', 1, undefined],
      ['sheet', 'Costs', 'sheet.write', 1, 'a first figure'],
      ['sheet', 'Costs', 'sharing.share', 1, undefined],
    ]);
    const { url } = server().app.publicUrl;
    expect(changes[3]).toMatchObject({ in: base, url: `${url}/wiki/${base}/item/${item.media_id}` });
    expect(changes[0]).toMatchObject({
      id: note.note_id,
      url: `${url}/notes/${note.note_id}`,
      user_id: server().owner.userId,
    });
    expect(Date.parse(changes[0].time)).toBe(changes[0].at);
    expect((await poll(next)).changes).toEqual([]);
    // One by one, the cursor passes nothing over and tells nothing twice.
    const single: string[] = [];
    for (let cursor = start; ;) {
      const page = await poll(cursor, undefined, { limit: 1 });
      single.push(...page.changes.map((one: any) => one.operation));
      cursor = page.next_cursor;
      if (page.is_end) break;
    }
    expect(single).toEqual(told.map(([, , operation]: string[]) => operation));
  });

  test('filters by kind, place, tag, person and time', async () => {
    const start = await now();
    const { knowledge_base_id: base } = await done('wiki.create_knowledge_base', { name: 'Filtered' });
    const { folder_id: folder } = await done('wiki.create_folder', { knowledge_base_id: base, name: 'In it' });
    const note = await done('note.import_doc', { content_format: 1, content: '# Tagged #review' });
    await done('manage.create_file', { title: 'Untagged' });
    const ids = async (more: object): Promise<string[]> =>
      (await poll(start, undefined, more)).changes.map((one: any) => one.title);
    expect(await ids({ kinds: ['sheet'] })).toEqual(['Untagged']);
    expect(await ids({ in: base })).toEqual(['Filtered', 'In it']);
    expect(await ids({ in: folder })).toEqual(['In it']);
    expect(await ids({ tags: ['Review'] })).toEqual(['Tagged #review']);
    expect(await ids({ by: 'others' })).toEqual([]);
    expect(await ids({ by: 'app' })).toHaveLength(4);
    expect(await ids({ before: new Date(Date.now() - 60_000).toISOString() })).toEqual([]);
    expect((await done('account.list_changes', { since: Date.now() - 60_000, in: note.note_id })).changes).toHaveLength(
      1,
    );
    const { code, msg } = await server().call('http', 'account', 'list_changes', { since: 'yesterday' });
    expect([code, msg]).toEqual([
      410001,
      expect.stringContaining('since: must be a time such as 2026-05-01T08:00:00Z'),
    ]);
  });

  test('shows only what the caller may see at the time of reading, and of its modules', async () => {
    const ada = await server().newUser();
    const start = await now(ada);
    const { file_id: file } = await done('manage.create_file', { title: 'Of one' });
    const { knowledge_base_id: base } = await done('wiki.create_knowledge_base', { name: 'Shared base' });
    const { media_id: item } = await done('wiki.upload_knowledge', {
      knowledge_base_id: base,
      file_name: 'secret.txt',
      content: Buffer.from('words').toString('base64'),
    });
    expect((await poll(start, ada)).changes).toEqual([]);
    await done('sharing.share', { kind: 'base', id: base, user_id: ada.userId, role: 'read' });
    const seen = (await poll(start, ada)).changes.map((one: any) => [one.title, one.operation]);
    expect(seen).toContainEqual(['secret.txt', 'wiki.upload_knowledge']);
    expect(JSON.stringify(seen)).not.toContain('Of one');
    await done('wiki.delete_knowledge', { knowledge_base_id: base, media_ids: [item] });
    const gone = (await poll(start, ada)).changes.filter((one: any) => one.id === item);
    expect(gone.map((one: any) => [one.title, one.deleted])).toEqual([
      ['', true],
      ['', true],
    ]);
    await done('sharing.unshare', { kind: 'base', id: base, user_id: ada.userId });
    expect((await poll(start, ada)).changes).toEqual([]);
    const { api_key: apiKey, key } = await done('account.create_key', { name: 'notes only', modules: ['note'] });
    const narrow = { ...server().owner, clientId: key.client_id, apiKey };
    await done('note.import_doc', { content_format: 1, content: '# Seen by it' });
    const kinds = (await poll(start, narrow)).changes.map((one: any) => one.kind);
    expect(kinds).toEqual(['note']);
    expect(file).toMatch(/^doc_/);
  });

  test('[T92] leaves out the notebook around a shared note from those who may not see it', async () => {
    const ada = await server().newUser();
    const start = await now(ada);
    const { folder } = await done('note.add_notebook', { name: 'Around' });
    const { note_id: note } = await done('note.import_doc', {
      content_format: 1,
      content: '# Shown',
      folder_id: folder.folder_id,
    });
    await done('sharing.share', { kind: 'note', id: note, user_id: ada.userId, role: 'read' });
    const seen = (await poll(start, ada)).changes;
    expect(seen.map((one: any) => [one.id, one.in])).toContainEqual([note, undefined]);
    expect(JSON.stringify(seen)).not.toContain(folder.folder_id);
    expect((await poll(start, ada, { in: folder.folder_id })).changes).toEqual([]);
    await done('sharing.share', { kind: 'notebook', id: folder.folder_id, user_id: ada.userId, role: 'read' });
    const inside = (await poll(start, ada, { in: folder.folder_id })).changes;
    expect(inside.map((one: any) => [one.id, one.in])).toContainEqual([note, folder.folder_id]);
  });

  test('tells subscribers of sheaf://changes that there is something for them, and nobody else', async () => {
    const ada = await server().newUser();
    const heard = await listen(server(), { resourceSubscriptions: ['sheaf://changes'] }, ada);
    expect((await heard.next()).params.notifications.resourceSubscriptions).toEqual(['sheaf://changes']);
    await done('note.import_doc', { content_format: 1, content: '# Not for ada' });
    await new Promise((resolve) => setTimeout(resolve, 1500));
    const { note_id: note } = await done('note.import_doc', { content_format: 1, content: '# Hers' }, ada);
    const told = await heard.next();
    heard.close();
    expect([told.method, told.params.uri]).toEqual(['notifications/resources/updated', 'sheaf://changes']);
    const { changes } = await done('account.list_changes', {}, ada);
    expect(changes.map((one: any) => one.id)).toEqual([note]);
  });

  test('[finding C17] a spreadsheet as a file is watched like its cells', async () => {
    const ada = await server().newUser();
    const { file_id: file } = await done('manage.create_file', { title: 'Watched' }, ada);
    const uri = `sheaf://file/${file}`;
    const heard = await listen(server(), { resourceSubscriptions: [uri] }, ada);
    expect((await heard.next()).params.notifications.resourceSubscriptions).toEqual([uri]);
    await done('sheet.write', { file_id: file, range: 'A1', rows: [[1]] }, ada);
    const told = await heard.next();
    heard.close();
    expect([told.method, told.params.uri]).toEqual(['notifications/resources/updated', uri]);
  });

  test('[finding G13] a reason is kept in the histories and in the audit, and is at most 500 characters', async () => {
    const reason = '为了周一的会议 & more';
    const { note_id: note } = await done('note.import_doc', { content_format: 1, content: '# Why', reason });
    expect((await done('note.get_note_history', { note_id: note })).versions[0].reason).toBe(reason);
    const { file_id: file } = await done('manage.create_file', { title: 'Why' });
    await done('sheet.write', { file_id: file, range: 'A1', rows: [[1]], reason });
    await done('sheet.write', { file_id: file, range: 'A1', rows: [[2]] });
    const { revisions } = await done('sheet.get_history', { file_id: file });
    expect(revisions.map((one: any) => [one.tool, one.reason])).toEqual([
      ['write', undefined],
      ['write', reason],
      ['create_file', undefined],
    ]);
    const { rows } = await done('account.list_audit', { limit: 10 });
    expect(rows.filter((one: any) => one.reason === reason).map((one: any) => one.operation)).toEqual([
      'sheet.write',
      'note.import_doc',
    ]);
    const { code, msg } = await server().call('http', 'note', 'import_doc', {
      content_format: 1,
      content: '# Long',
      reason: 'x'.repeat(501),
    });
    expect([code, msg]).toEqual([210001, 'reason: must be at most 500 characters (got 501)']);
    const over = await server().call('mcp', 'note', 'import_doc', { content_format: 1, content: '# By MCP', reason });
    expect((await done('note.get_note_history', { note_id: over.data.note_id })).versions[0].reason).toBe(reason);
  });

  test('a reason with half a surrogate pair is refused, and the document stays as it is', async () => {
    const { file_id: file } = await done('manage.create_file', { title: 'Half' });
    const write = { file_id: file, range: 'A1', rows: [[1]] };
    const { code, msg } = await server().call('http', 'sheet', 'write', { ...write, reason: 'why \ud800' });
    expect([code, msg]).toEqual([310001, 'reason: must not contain half a surrogate pair (got "why \\ud800")']);
    await done('sheet.write', { ...write, range: 'A2', reason: 'whole \u{1f600}' });
    const { revisions } = await done('sheet.get_history', { file_id: file });
    expect(revisions.map((one: any) => one.reason)).toEqual(['whole \u{1f600}', undefined]);
    expect((await done('sheet.read', { file_id: file, range: 'A1:A2' })).rows).toEqual({ 2: [1] });
  });
});
