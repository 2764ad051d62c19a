import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Database } from '../../src/adapters/sql/database.ts';
import { migrate } from '../../src/adapters/sql/migrate.ts';
import { SqlNoteGraphStore } from '../../src/adapters/sql/notes/note-graph-store.ts';
import { SqlNoteStore } from '../../src/adapters/sql/notes/note-store.ts';
import { NoteRefused, type NotePreview } from '../../src/ports/note-store.ts';
import { eachDatabase } from '@sheaf/tools/testing/databases.ts';
import { stamp } from '@sheaf/tools/testing/stamp-fixture.ts';

const limits = { noteBytes: 1000, quotaBytes: 100_000, notebooks: 5 };
const face = (title: string): NotePreview => ({ title, titleKey: title, summary: '', coverImage: '' });
const user = 'user_1';

async function make(
  store: SqlNoteStore,
  id: string,
  markdown = 'x',
  more: { notebook?: { id: string } } = {},
): Promise<void> {
  await store.create(stamp(), { id, userId: user, preview: face(id), isTitled: false, markdown, ...more }, limits);
}

const append = (store: SqlNoteStore, id: string, markdown: string) =>
  store.append(
    stamp(),
    {
      id,
      userId: user,
      markdown,
      headBytes: 100,
      preview: async (head) => () => ({ ...face('ignored'), summary: head.slice(0, 20) }),
    },
    limits,
  );

/** Counted anew from the rows, to compare with the counters. */
async function recount(
  database: Database,
): Promise<{ all: number; loose: number; bytes: number; books: Record<string, number> }> {
  const notes = await database.all<{ notebook_id: string; stored_bytes: number; deleted_at: number | null }>(
    'SELECT notebook_id, stored_bytes, deleted_at FROM note',
  );
  const live = notes.filter((note) => note.deleted_at === null);
  const books: Record<string, number> = {};
  for (const { id } of await database.all<{ id: string }>('SELECT id FROM notebook'))
    books[id] = live.filter((note) => note.notebook_id === id).length;
  return {
    all: live.length,
    loose: live.filter((note) => note.notebook_id === '').length,
    bytes: notes.reduce((sum, note) => sum + note.stored_bytes, 0),
    books,
  };
}

eachDatabase('note store', (name, open) => {
  test('texts of many notes: whole ones, one with pieces appended, none of a note that is missing', async () => {
    const store = new SqlNoteStore(await open());
    const long = 'a line of many\n'.repeat(60);
    for (const [id, text] of Object.entries({ whole: 'as is', packed: long, pieces: 'first', changed: 'old' }))
      await make(store, id, text);
    await append(store, 'pieces', 'second');
    await append(store, 'pieces', 'third');
    await append(store, 'changed', 'more');
    await store.replace(
      stamp(),
      { id: 'changed', userId: user, markdown: 'new', preview: () => face('changed') },
      limits,
    );
    const texts = await store.markdowns(['pieces', 'whole', 'missing', 'packed', 'changed', 'whole']);
    expect(Object.fromEntries(texts)).toEqual({
      whole: 'as is',
      packed: long,
      pieces: 'first\n\nsecond\n\nthird',
      changed: 'new',
    });
  });

  test('a notebook that goes at the moment in which notes are added to it leaves none of them behind', async () => {
    const database = await open();
    const store = new SqlNoteStore(database);
    for (const notes of ['keep', 'trash'] as const) {
      const id = `book_${notes}`;
      await store.addNotebook(stamp(), { id, userId: user, name: id, parentId: '' }, limits);
      // What comes while the first write is under way goes together, in the order in which it came.
      const first = make(store, `${notes}_first`);
      await new Promise((resolve) => setImmediate(resolve));
      const before = Array.from({ length: 6 }, (_, n) => make(store, `${notes}_${n}`, 'x', { notebook: { id } }));
      const loose = make(store, `${notes}_loose`);
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
      const removed = store.removeNotebook(stamp(), user, id, notes);
      await Promise.all([first, loose, removed, ...before]);
      expect(await database.get('SELECT COUNT(*) AS n FROM note WHERE notebook_id = ?', id)).toEqual({ n: 0 });
    }
    const { all, loose } = await recount(database);
    const space = await database.get('SELECT note_count, loose_count FROM note_space WHERE user_id = ?', user);
    expect(space).toEqual({ note_count: all, loose_count: loose });
  });

  test('an append begins a paragraph, also behind white space that would make it code', async () => {
    const store = new SqlNoteStore(await open());
    await make(store, 'n', 'a\r\n\r\n');
    await append(store, 'n', 'b\n\n    ');
    await append(store, 'n', 'c');
    expect(await store.markdown('n')).toBe('a\r\n\r\nb\n\n    \n\nc');
  });

  test('a text is the newest whole one and all that was appended; each version stays', async () => {
    const store = new SqlNoteStore(await open());
    await make(store, 'n', 'a\n');
    const after = await append(store, 'n', 'b');
    expect(after).toMatchObject({ version: 2, size: 4, title: 'n', summary: 'a\n\nb' });
    await append(store, 'n', 'c\n\n');
    await append(store, 'n', 'd');
    expect(await store.markdown('n')).toBe('a\n\nb\n\nc\n\nd');
    const replaced = await store.replace(
      stamp(),
      { id: 'n', userId: user, markdown: 'new', baseVersion: 4, preview: () => face('N') },
      limits,
    );
    expect(replaced).toMatchObject({ version: 5, size: 3, title: 'N' });
    expect(await Promise.all([1, 2, 3, 4, 5, 6].map((version) => store.markdown('n', version)))).toEqual([
      'a\n',
      'a\n\nb',
      'a\n\nb\n\nc\n\n',
      'a\n\nb\n\nc\n\nd',
      'new',
      undefined,
    ]);
    expect(await store.markdown('none')).toBeUndefined();
  });

  test('notes are read with one statement for lists of several lengths', async () => {
    const database = await open();
    const store = new SqlNoteStore(database);
    for (const id of ['a', 'b', 'c']) await make(store, id);
    const all = vi.spyOn(database, 'all');
    onTestFinished(() => all.mockRestore());
    expect((await store.notes(['c', 'none', 'a'])).map(({ id }) => id)).toEqual(['c', 'a']);
    expect((await store.notes(['b', 'a', 'c', 'x', 'y'])).map(({ id }) => id)).toEqual(['b', 'a', 'c']);
    expect(await store.notes([])).toEqual([]);
    const texts = all.mock.calls.map(([statement]) => (typeof statement === 'string' ? statement : statement.text));
    expect([texts.length, new Set(texts).size]).toEqual([2, 1]);
  });

  test('[finding G8] several notes change all or none, and the change is recorded with what was before', async () => {
    const database = await open();
    const store = new SqlNoteStore(database);
    await make(store, 'a', 'one');
    await make(store, 'b', 'two');
    const change = (changeId: string, baseVersion: number) =>
      store.changeAll(
        stamp(),
        {
          changeId,
          userId: user,
          target: 'a',
          texts: [
            { id: 'a', baseVersion: 1, markdown: 'ONE', preview: () => face('A') },
            { id: 'b', baseVersion, markdown: 'TWO', preview: (title) => face(title ?? 'none') },
          ],
          renames: [{ id: 'b', title: 'B', titleKey: 'b', isTitled: true }],
        },
        limits,
      );
    await expect(change('c1', 7)).rejects.toMatchObject({ why: { reason: 'stale', version: 1, baseVersion: 7 } });
    expect(await store.change(user, 'c1')).toEqual([]);
    expect(await store.markdown('a')).toBe('one');
    expect((await change('c2', 1)).map(({ id, title, version }) => [id, title, version]).toSorted()).toEqual([
      ['a', 'A', 2],
      ['b', 'B', 2],
    ]);
    expect(await store.change(user, 'c2')).toEqual([
      { noteId: 'a', fromVersion: 1, toVersion: 2, oldTitle: 'a', wasTitled: false, newTitle: 'A' },
      { noteId: 'b', fromVersion: 1, toVersion: 2, oldTitle: 'b', wasTitled: false, newTitle: 'B' },
    ]);
    expect(await store.change('user_2', 'c2')).toEqual([]);
    const { bytes } = await recount(database);
    expect(bytes).toBe(12);
  });

  test('[finding G8] links, tasks and tags are derived once for a version, and purged with the note', async () => {
    const database = await open();
    const store = new SqlNoteStore(database);
    const graph = new SqlNoteGraphStore(database);
    await make(store, 'a', 'x');
    await make(store, 'b', 'x');
    const scan = (title: string) => ({
      links: [
        {
          kind: '' as const,
          targetId: '',
          title,
          titleKey: title,
          heading: '',
          line: 1,
          sentence: 's',
          occurrences: 1,
        },
      ],
      tags: [{ tag: 'T', key: 't' }],
      tasks: [{ line: 1, text: 'do', isDone: false, due: '' }],
    });
    const derive = async (title: string): Promise<number> => {
      const notes = (await graph.notesToScan(user, '', 10)).filter(({ id }) => id === 'a');
      await graph.save(
        user,
        notes.map((note) => ({ note, scan: scan(title) })),
      );
      await graph.resolve(user);
      return notes.length;
    };
    expect([await derive('b'), await derive('b')]).toEqual([1, 0]);
    expect(await graph.linksTo(user, 'b', undefined, 10)).toMatchObject([{ noteId: 'a', kind: 'note', title: 'b' }]);
    // The same title keeps its note, whatever that is called now.
    await store.rename(stamp(), user, 'b', 'c', 'c');
    await append(store, 'a', 'y');
    expect(await derive('b')).toBe(1);
    expect(await graph.linksTo(user, 'b', undefined, 10)).toHaveLength(1);
    expect(await graph.tasks({ userId: user, limit: 10 })).toEqual([
      { noteId: 'a', line: 1, text: 'do', isDone: false, due: '' },
    ]);
    for (const id of ['a', 'b']) await store.trash({ ...stamp(), at: 10 }, user, id);
    expect(await graph.tasks({ userId: user, limit: 10 })).toEqual([]);
    await store.purge(stamp(), 20, 10);
    for (const table of ['note_link', 'note_task', 'object_tag', 'note_change'])
      expect(await database.all(`SELECT 1 AS found FROM ${table}`), table).toEqual([]);
  });

  test('[finding A5] a refused write changes nothing and says why by reason and values: too large, stale, quota, foreign, deleted', async () => {
    const database = await open();
    const store = new SqlNoteStore(database);
    await make(store, 'n', 'x'.repeat(990));
    const why = async (write: Promise<unknown>): Promise<unknown> =>
      write.then(
        () => 'done',
        (error: unknown) => (error instanceof NoteRefused ? error.why : String(error)),
      );
    const before = await recount(database);
    expect(await why(append(store, 'n', 'y'.repeat(9)))).toEqual({ reason: 'too_large', size: 1001, limit: 1000 });
    expect(
      await why(
        store.replace(
          stamp(),
          { id: 'n', userId: user, markdown: 'y', baseVersion: 2, preview: () => face('n') },
          limits,
        ),
      ),
    ).toEqual({ reason: 'stale', version: 1, baseVersion: 2 });
    expect(
      await why(
        store.replace(
          stamp(),
          { id: 'n', userId: user, markdown: 'yy', preview: () => face('n') },
          { ...limits, quotaBytes: 991 },
        ),
      ),
    ).toEqual({ reason: 'no_space', bytes: 2, used: 990, quota: 991 });
    expect(await why(store.rename(stamp(), 'user_2', 'n', 't', 't'))).toEqual({ reason: 'not_found', id: 'n' });
    expect(await why(store.move(stamp(), user, ['n'], 'no_such'))).toEqual({ reason: 'no_notebook', id: 'no_such' });
    expect(await recount(database)).toEqual(before);
    expect(await store.versions('n', { limit: 10 })).toMatchObject([{ version: 1 }]);
    await store.trash(stamp(), user, 'n');
    expect(await why(append(store, 'n', 'y'))).toEqual({ reason: 'deleted', id: 'n' });
  });

  test('each change of what is found is told to the search index in the same transaction', async () => {
    const database = await open();
    const store = new SqlNoteStore(database);
    await make(store, 'n');
    await append(store, 'n', 'y');
    await store.rename(stamp(), user, 'n', 't', 't');
    await store.trash(stamp(), user, 'n');
    await store.restore(stamp(), user, 'n');
    await store.restore(stamp(), user, 'n');
    const told = await database.all<{ space: string; id: string }>('SELECT space, id FROM search_outbox ORDER BY seq');
    expect(told.map((row) => `${row.space} ${row.id}`)).toEqual(['note n', 'note n', 'note n', 'note n', 'note n']);
  });

  test('two nodes appending at once lose nothing', async () => {
    const place = await open.place();
    const first = await place.connect();
    await migrate(first);
    const nodes = [first, name === 'postgres' ? await place.connect() : first].map(
      (database) => new SqlNoteStore(database),
    );
    await make(nodes[0]!, 'n', 'start');
    const notes = await Promise.all(Array.from({ length: 60 }, (_, i) => append(nodes[i % 2]!, 'n', `p${i}`)));
    expect(notes.map((note) => note.version).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 60 }, (_, i) => i + 2),
    );
    const pieces = (await nodes[1]!.markdown('n'))!.split('\n\n');
    expect(pieces.slice(1).map((piece) => pieces.indexOf(piece))).toEqual(
      notes
        .map((note, i) => [note.version, `p${i}`] as const)
        .toSorted((a, b) => a[0] - b[0])
        .map(([, piece]) => pieces.indexOf(piece)),
    );
    expect(new Set(pieces).size).toBe(61);
  });

  test('counters are right after any sequence of changes', { timeout: 120_000 }, async () => {
    const database = await open();
    const store = new SqlNoteStore(database);
    let round = 0;
    const step = fc.tuple(
      fc.constantFrom('create', 'append', 'replace', 'trash', 'restore', 'move', 'book', 'unbook', 'throw', 'purge'),
      fc.nat(3),
      fc.nat(3),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        round += 1;
        const note = (i: number): string => `n${round}_${i}`;
        const book = (i: number): string => `b${round}_${i}`;
        for (const [what, i, j] of steps) {
          const act = async (): Promise<unknown> => {
            switch (what) {
              case 'create':
                return make(
                  store,
                  note(i),
                  'xyz',
                  (await store.notebook(user, book(j))) ? { notebook: { id: book(j) } } : {},
                );
              case 'append':
                return append(store, note(i), 'more');
              case 'replace':
                return store.replace(
                  stamp(),
                  { id: note(i), userId: user, markdown: 'other', preview: () => face('n') },
                  limits,
                );
              case 'trash':
                return store.trash(stamp(), user, note(i));
              case 'restore':
                return store.restore(stamp(), user, note(i));
              case 'move':
                return store.move(stamp(), user, [note(i), note((i + 1) % 4)], j === 0 ? '' : book(j));
              case 'book':
                return store.addNotebook(
                  stamp(),
                  { id: book(j), userId: user, name: book(j), parentId: i > 1 ? book((j + 1) % 4) : '' },
                  { ...limits, notebooks: 1000 },
                );
              case 'unbook':
                return store.removeNotebook(stamp(), user, book(j), 'keep');
              case 'throw':
                return store.removeNotebook(stamp(), user, book(j), 'trash');
              default:
                return store.purge(stamp(), 2000, 100);
            }
          };
          await act().catch((error: unknown) => {
            if (!(error instanceof NoteRefused) && (error as Error).name !== 'UniqueViolation') throw error;
          });
        }
        const actual = await recount(database);
        const space = await store.totals(user);
        const use = await database.get<{ bytes: number }>('SELECT bytes FROM storage_use WHERE user_id = ?', user);
        const counted = await database.get<{ note_count: number; loose_count: number }>(
          'SELECT note_count, loose_count FROM note_space WHERE user_id = ?',
          user,
        );
        const books = Object.fromEntries(
          (await store.notebooks(user, { limit: 1000 })).map((one) => [one.id, one.noteCount]),
        );
        expect({
          all: counted?.note_count ?? 0,
          loose: counted?.loose_count ?? 0,
          bytes: use?.bytes ?? 0,
          books,
        }).toEqual(actual);
        expect(space.version).toBeGreaterThan(0);
      }),
      { numRuns: 15 },
    );
  });
});
