import { expect, test } from 'vitest';
import { onSurface, type Key } from '@sheaf/tools/testing/test-server.ts';
import { addNotebook, importNote } from './support.ts';

onSurface('note', 'links between notes', (call, server) => {
  const links = async (input: object, as?: Key): Promise<any[]> => (await call('list_links', input, as)).data.links;
  const text = async (id: string, as?: Key): Promise<string> =>
    (await call('export_note', { note_id: id }, as)).data.content;

  test('[finding G8] renaming a note that 100 link to takes one call, and all links are whole', async () => {
    const user = await server().newUser();
    const target = await importNote(call, '# Supplier Velox\n\n## Terms\n\n30 days', {}, user);
    const ids: string[] = [];
    for (let i = 0; i < 100; i++)
      ids.push(
        await importNote(
          call,
          `# Order ${i}\n\nFirst. Ask [[Supplier Velox]] or [[supplier velox#Terms|them]]. \`[[Supplier Velox]]\``,
          {},
          user,
        ),
      );
    const renamed = await call('rename_note', { note_id: target, title: 'Velox GmbH' }, user);
    expect(renamed.data).toMatchObject({ note_id: target, links_changed: 100, change_id: expect.any(String) });
    expect(await links({ broken: true }, user)).toEqual([]);
    for (const [i, id] of ids.entries())
      expect(await text(id, user)).toBe(
        `# Order ${i}\n\nFirst. Ask [[Velox GmbH]] or [[Velox GmbH#Terms|them]]. \`[[Supplier Velox]]\``,
      );
    const all = (await call('backlinks', { id: target, limit: 200 }, user)).data.links;
    expect(all).toHaveLength(200);
    expect(all[0]).toMatchObject({
      line: 3,
      sentence: expect.stringMatching(/^Ask \[\[Velox GmbH\]\] or/),
      occurrences: 1,
    });
    const undone = await call('undo_note_change', { change_id: renamed.data.change_id }, user);
    expect(undone.data.notes).toHaveLength(101);
    expect(await text(ids[0]!, user)).toContain('[[Supplier Velox]] or');
    expect(await links({ broken: true }, user)).toEqual([]);
  });

  test('[finding G8] links resolve to notes, spreadsheets and items, by title and by address; others are broken', async () => {
    const user = await server().newUser();
    const sheet = (await server().call('http', 'manage', 'create_file', { title: 'Budget 2026' }, user)).data.file_id;
    const base = (await server().call('http', 'wiki', 'create_knowledge_base', { name: 'Base' }, user)).data;
    const uploaded = await server().call(
      'http',
      'wiki',
      'upload_knowledge',
      {
        knowledge_base_id: base.knowledge_base_id,
        file_name: 'Terms.md',
        content: Buffer.from('# Terms').toString('base64'),
      },
      user,
    );
    const media = uploaded.data.media_id as string;
    const other = await importNote(call, '# Straße\n\nx', {}, user);
    const id = await importNote(
      call,
      `see [[STRASSE]], [[budget 2026]], [[Terms.md]], [this](/sheet/${sheet}) and [[Nothing]]`,
      {},
      user,
    );
    const found = await links({ note_id: id }, user);
    expect(found.map((link) => [link.title, link.kind, link.target_id])).toEqual([
      ['STRASSE', 'note', other],
      ['budget 2026', 'sheet', sheet],
      ['Terms.md', 'item', media],
      ['Nothing', undefined, undefined],
      ['this', 'sheet', sheet],
    ]);
    expect((await links({ broken: true }, user)).map((link) => link.title)).toEqual(['Nothing']);
    expect((await call('backlinks', { id: sheet }, user)).data.links).toHaveLength(2);
    // A link waits for its target.
    const late = await importNote(call, '# Nothing', {}, user);
    expect(await links({ broken: true }, user)).toEqual([]);
    await call('delete_note', { note_id: late }, user);
    expect((await links({ broken: true }, user)).map((link) => link.title)).toEqual(['Nothing']);
    await call('restore_note', { note_id: late }, user);
    expect(await links({ broken: true }, user)).toEqual([]);
  });

  test('[finding G8] a link keeps its note when a heading changes its title, and others never see it', async () => {
    const user = await server().newUser();
    const target = await importNote(call, '# Draft\n\nx', {}, user);
    const id = await importNote(call, 'see [[Draft]]', {}, user);
    expect(await links({ note_id: id }, user)).toMatchObject([{ target_id: target }]);
    await call('update_note', { note_id: target, content: '# Final\n\nx' }, user);
    await call('append_doc', { note_id: id, content_format: 1, content: 'more' }, user);
    expect(await links({ note_id: id }, user)).toMatchObject([
      { title: 'Draft', target_id: target, target_title: 'Final' },
    ]);
    const stranger = await server().newUser();
    expect(await call('backlinks', { id: target }, stranger)).toMatchObject({ code: 210034, data: {} });
    expect(await call('list_links', { note_id: id }, stranger)).toMatchObject({ code: 210034, data: {} });
    const foreign = await importNote(call, `[[Final]] [x](/notes/${target})`, {}, stranger);
    expect((await links({ note_id: foreign }, stranger)).map((link) => link.target_id)).toEqual([undefined, undefined]);
    expect((await call('backlinks', { id: target }, user)).data.links).toHaveLength(1);
  });
});

onSurface('note', 'tasks and tags of notes', (call, server) => {
  test('[finding G8] the open tasks of 41 notes in one call, due first; set_task checks one', async () => {
    const user = await server().newUser();
    const folder = await addNotebook(call, 'Work', {}, user);
    const ids: string[] = [];
    for (let i = 0; i < 41; i++)
      ids.push(
        await importNote(
          call,
          `# Note ${i}\n\n- [ ] open ${i}\n- [x] done ${i}\n- [ ] dated ${i} @2026-12-${String((i % 28) + 1).padStart(2, '0')}\n`,
          i < 20 ? { folder_id: folder } : {},
          user,
        ),
      );
    const { data } = await call('list_tasks', {}, user);
    expect(data).toMatchObject({ total: 82, is_end: true });
    expect(data.tasks).toHaveLength(82);
    expect(data.tasks[0]).toMatchObject({
      title: 'Note 0',
      line: 5,
      text: 'dated 0 @2026-12-01',
      done: false,
      due: '2026-12-01',
    });
    expect(data.tasks.slice(41).every((task: any) => task.due === undefined)).toBe(true);
    const count = async (input: object): Promise<number> => (await call('list_tasks', input, user)).data.total;
    expect(await count({ state: 'done' })).toBe(41);
    expect(await count({ state: 'all' })).toBe(123);
    expect(await count({ folder_id: folder })).toBe(40);
    expect(await count({ note_id: ids[3] })).toBe(2);
    expect(await count({ due_from: '2026-12-28', due_before: '2027-01-01' })).toBe(1);
    const paged: string[] = [];
    for (let cursor = ''; ;) {
      const page = (await call('list_tasks', { state: 'all', limit: 50, cursor }, user)).data;
      paged.push(...page.tasks.map((task: any) => task.text));
      if (page.is_end) break;
      cursor = page.next_cursor;
    }
    expect([paged.length, new Set(paged).size]).toEqual([123, 123]);
    const [first] = data.tasks;
    expect(
      (await call('set_task', { note_id: first.note_id, line: first.line, text: first.text, done: true }, user)).data,
    ).toMatchObject({ version: 2, changes: [{ line: 5, text: '- [x] dated 0 @2026-12-01' }] });
    expect(await count({})).toBe(81);
    expect(await call('set_task', { note_id: first.note_id, line: 1, done: true }, user)).toMatchObject({
      code: 210001,
    });
    expect(await call('set_task', { note_id: first.note_id, line: 3, due: '2026-02-30' }, user)).toMatchObject({
      code: 210001,
      msg: 'due: must be a date as YYYY-MM-DD (got "2026-02-30")',
    });
    expect(
      (await call('set_task', { note_id: first.note_id, text: 'open 0', due: '2026-12-09' }, user)).data.changes,
    ).toEqual([{ line: 3, text: '- [ ] open 0 @2026-12-09' }]);
    // A task is named with its date, as list_tasks has it, or as people say it, without.
    for (const done of [true, false])
      expect((await call('set_task', { note_id: first.note_id, text: 'open 0', done }, user)).data.changes).toEqual([
        { line: 3, text: `- [${done ? 'x' : ' '}] open 0 @2026-12-09` },
      ]);
    await call('delete_note', { note_id: ids[5] }, user);
    expect(await count({})).toBe(79);
    expect((await call('list_tasks', {}, await server().newUser())).data.tasks).toEqual([]);
  });

  test('[finding G8] tags of notes, items and spreadsheets: in lists and as a filter of searches', async () => {
    const user = await server().newUser();
    const wiki = (operation: string, input: object, as = user) => server().call('http', 'wiki', operation, input, as);
    const manage = (operation: string, input: object, as = user) =>
      server().call('http', 'manage', operation, input, as);
    const written = await importNote(call, '# Alpha plan\n\nwords #Review #项目\n', {}, user);
    const tagged = await importNote(call, '# Beta plan\n\nwords\n', {}, user);
    await importNote(call, '# Gamma plan\n\nwords\n', {}, user);
    expect((await call('tag_note', { note_id: tagged, add: ['review', '#later'] }, user)).data.tags).toEqual([
      { tag: 'later', in_text: false },
      { tag: 'review', in_text: false },
    ]);
    expect((await call('read_note', { note_id: written, tags: true }, user)).data.notes[0].tags).toEqual([
      { tag: 'Review', in_text: true },
      { tag: '项目', in_text: true },
    ]);
    const file = (await manage('create_file', { title: 'Delta plan' })).data.file_id;
    expect((await manage('tag_file', { file_id: file, add: ['REVIEW'] })).data.tags).toEqual([
      { tag: 'REVIEW', in_text: false },
    ]);
    const base = (await wiki('create_knowledge_base', { name: 'Base' })).data.knowledge_base_id;
    const content = Buffer.from('# Epsilon plan').toString('base64');
    const item = (await wiki('upload_knowledge', { knowledge_base_id: base, file_name: 'epsilon plan.md', content }))
      .data.media_id;
    await wiki('add_tag', { media_id: item, tags: ['Review'] });

    const tags = (await wiki('list_tags', {})).data.tags;
    expect(tags[0]).toMatchObject({ items: 1, notes: 2, sheets: 1 });
    expect(tags[0].tag.toLowerCase()).toBe('review');
    expect(tags.slice(1)).toEqual([
      { tag: 'later', items: 0, notes: 1, sheets: 0 },
      { tag: '项目', items: 0, notes: 1, sheets: 0 },
    ]);
    const entries = (await wiki('list_tags', { tag: '#review' })).data.entries;
    expect(entries.map((entry: any) => [entry.kind, entry.id]).toSorted()).toEqual(
      [
        ['knowledge', item],
        ['note', written],
        ['note', tagged],
        ['sheet', file],
      ].toSorted(),
    );
    await expect
      .poll(async () =>
        (await wiki('search_all', { query: 'plan', tags: ['review'] })).data.info_list
          .map((one: any) => one.id)
          .toSorted(),
      )
      .toEqual([item, written, tagged, file].toSorted());
    const both = (await wiki('search_all', { query: 'plan', tags: ['review', 'later'] })).data.info_list;
    expect(both.map((one: any) => one.id)).toEqual([tagged]);
    expect((await wiki('search_passages', { query: 'plan', tags: ['none'] })).data.passages).toEqual([]);
    const ofPassages = async (): Promise<string[]> =>
      (await wiki('search_passages', { query: 'plan', tags: ['review'] })).data.documents.map((one: any) => one.id);
    await expect.poll(ofPassages).toContain(item);
    expect([item, written, tagged, file]).toEqual(expect.arrayContaining(await ofPassages()));
    expect((await manage('search_file', { query: 'plan', tags: ['none'] })).data.files).toEqual([]);
    expect((await manage('search_file', { query: 'plan', tags: ['review'] })).data.files).toHaveLength(1);

    await call('update_note', { note_id: written, content: '# Alpha plan' }, user);
    await call('tag_note', { note_id: tagged, remove: ['Review'] }, user);
    expect((await wiki('list_tags', { tag: 'review', kinds: ['note'] })).data.entries).toEqual([]);
    const stranger = await server().newUser();
    expect((await wiki('list_tags', {}, stranger)).data.tags).toEqual([]);
    expect(await call('tag_note', { note_id: tagged, add: ['x'] }, stranger)).toMatchObject({ code: 210034 });
    expect(await manage('tag_file', { file_id: file, add: ['x'] }, stranger)).toMatchObject({ data: {} });
    expect(
      await call('tag_note', { note_id: tagged, add: Array.from({ length: 50 }, (_, i) => `t${i}`) }, user),
    ).toMatchObject({
      code: 210001,
      msg: 'add: there can be at most 50 tags, and there would be 51',
    });
    expect(await call('tag_note', { note_id: tagged }, user)).toMatchObject({ code: 210001 });
  });
});
