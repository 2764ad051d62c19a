import { beforeAll, expect, test } from 'vitest';
import { SqlWikiStore } from '../../src/adapters/sql/wiki/wiki-store.ts';
import { toNfc, titleHash } from '../../src/adapters/sql/wiki/wiki-rows.ts';
import type { Database } from '../../src/adapters/sql/database.ts';
import { newId } from '../../src/lib/ids.ts';
import { parseJob, WikiRefused, type NewItem } from '../../src/ports/wiki-store.ts';
import { eachDatabase } from '@sheaf/tools/testing/databases.ts';
import { stamp } from '@sheaf/tools/testing/stamp-fixture.ts';

const limits = { quotaBytes: 1000 };

eachDatabase('wiki store', (name, open) => {
  let database: Database;
  let store: SqlWikiStore;
  let user: string;
  beforeAll(async () => {
    database = await open();
    store = new SqlWikiStore(database);
  });

  async function newBase(): Promise<string> {
    user = newId('user');
    const id = newId('kb');
    await store.bases.createBase(stamp({ userId: user }), {
      id,
      userId: user,
      name: 'B',
      description: '',
      coverUrl: '',
      questions: [],
      isPersonal: false,
    });
    return id;
  }

  function file(baseId: string, more: Partial<NewItem> = {}): NewItem {
    const id = newId('media');
    return {
      id,
      baseId,
      folderId: baseId,
      userId: user,
      mediaType: 7,
      title: 't',
      state: 'queued',
      kind: 'markdown',
      fileName: 't.md',
      contentType: 'text/markdown',
      fileSize: 10,
      blobKey: `media/${id}.md`,
      contentId: '',
      lastModifyTime: 0,
      sealedPassword: 'sealed',
      ...more,
    };
  }

  const add = async (item: NewItem) => store.items.addItem(stamp({ userId: user }), item, 'keep_both', limits);
  const jobs = (subject: string) =>
    database.all<{ state: string }>('SELECT state FROM job WHERE kind = ? AND subject = ?', parseJob, subject);
  const text = { title: '', headings: 'H', body: 'body', meta: { pages: 2 } };

  test('an item and its job are one write; a refused item leaves nothing', async () => {
    const base = await newBase();
    const item = await add(file(base));
    expect(await jobs(item.id)).toEqual([{ state: 'queued' }]);
    const large = file(base, { fileSize: 5000 });
    await expect(add(large)).rejects.toThrow(WikiRefused);
    expect([
      await store.items.item(large.id),
      await jobs(large.id),
      (await store.bases.base(base, user))?.itemCount,
    ]).toEqual([undefined, [], 1]);
  });

  test('the same item added ten times at once is there once', async () => {
    const base = await newBase();
    const item = file(base);
    const added = await Promise.all(Array.from({ length: 10 }, () => add(item)));
    expect(new Set(added.map((one) => one.place)).size).toBe(1);
    expect([(await store.bases.base(base, user))?.itemCount, (await jobs(item.id)).length]).toEqual([1, 1]);
  });

  test('items added at once have different places, in the order of lists', async () => {
    const base = await newBase();
    await Promise.all(Array.from({ length: 20 }, () => add(file(base))));
    const { items } = await store.tree.list(base, base, undefined, 50);
    const places = items.map((item) => item.place);
    expect(places).toEqual([...new Set(places)].toSorted((a, b) => b - a));
    expect(places).toHaveLength(20);
  });

  test('uploads that become items at once count their bytes once, beside one that finds its title taken', async () => {
    const base = await newBase();
    const items = Array.from({ length: 12 }, (_, i) => file(base, { title: `title ${i % 11}` }));
    for (const item of items)
      await store.uploads.createUpload(
        null,
        { ...item, mediaId: item.id, fileExt: 'md', kind: 'markdown', createdAt: 1, expiresAt: 2 },
        { field: 'content', quotaBytes: 125 },
      );
    // With 120 of 125 bytes counted already, being counted a second time would be refused.
    const added = await Promise.allSettled(
      items.map((item, i) =>
        store.items.addItem(stamp({ userId: user }), item, i === 11 ? 'reject' : 'keep_both', { quotaBytes: 125 }),
      ),
    );
    expect(added.map(({ status }) => status)).toEqual([...Array<string>(11).fill('fulfilled'), 'rejected']);
    const places = added.flatMap((one) => (one.status === 'fulfilled' ? one.value.place : []));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(new Set(places).size).toBe(11);
    expect((await store.bases.base(base, user))?.itemCount).toBe(11);
    const row = await database.get<{ bytes: number }>('SELECT bytes FROM storage_use WHERE user_id = ?', user);
    // The refused one is still an upload that waits for its hour to end.
    expect(row?.bytes).toBe(120);
    expect(await database.all('SELECT key FROM kept_object WHERE user_id = ?', user)).toEqual([
      { key: items[11]!.blobKey },
    ]);
    expect((await Promise.all(items.map((item) => jobs(item.id)))).map((list) => list.length)).toEqual([
      ...Array<number>(11).fill(1),
      0,
    ]);
  });

  test('texts that are saved at once are all there, those of replaced items are not', async () => {
    const base = await newBase();
    const items = await Promise.all(Array.from({ length: 10 }, () => add(file(base))));
    const saved = await Promise.all(
      items.map((item, i) => store.texts.saveText(stamp(), item.id, i === 4 ? 2 : 1, { ...text, body: `body ${i}` })),
    );
    expect(saved).toEqual(items.map((_, i) => i !== 4));
    const texts = await store.texts.texts(items.map((item) => item.id));
    expect(items.map((item) => texts.get(item.id)?.body)).toEqual(
      items.map((_, i) => (i === 4 ? undefined : `body ${i}`)),
    );
  });

  test('text is saved and the password forgotten; read back as it was', async () => {
    const base = await newBase();
    const item = await add(file(base));
    expect(await store.texts.sealedPassword(item.id)).toBe('sealed');
    expect(await store.texts.setParsing(item.id, 1)).toBe(true);
    expect((await store.items.item(item.id))?.state).toBe('parsing');
    const long = { ...text, body: '字'.repeat(5000) };
    expect(await store.texts.saveText(stamp(), item.id, 1, long)).toBe(true);
    expect([
      (await store.items.item(item.id))?.state,
      await store.texts.sealedPassword(item.id),
      await store.texts.text(item.id),
    ]).toEqual(['ready', '', long]);
  });

  test('[T71] what is deleted, or was replaced meanwhile, takes no text', async () => {
    const base = await newBase();
    const item = await add(file(base));
    expect(await store.texts.saveText(stamp(), item.id, 2, text)).toBe(false);
    await store.tree.trash(stamp(), base, [item.id]);
    expect(await jobs(item.id)).toEqual([]);
    expect([
      await store.texts.saveText(stamp(), item.id, 1, text),
      await store.texts.failItem(stamp(), item.id, 1, 'x'),
      await store.texts.setParsing(item.id, 1),
    ]).toEqual([false, false, false]);
    expect(await store.texts.text(item.id)).toBeUndefined();
    await store.tree.restore(stamp(), base, [item.id]);
    expect([(await store.items.item(item.id))?.state, (await jobs(item.id)).length]).toEqual(['queued', 1]);
  });

  test('a smaller file takes the place of a larger one, even if the quota is exceeded', async () => {
    const base = await newBase();
    const item = await add(file(base, { fileSize: 500 }));
    const upload = (fileSize: number) => ({
      mediaId: newId('media'),
      userId: newId('user'),
      baseId: base,
      blobKey: `media/${fileSize}.md`,
      fileName: 'n.md',
      fileExt: 'md',
      contentType: 'text/markdown',
      mediaType: 7,
      kind: 'markdown' as const,
      fileSize,
      createdAt: 0,
      expiresAt: 0,
    });
    const little = { quotaBytes: 100 };
    const replace = (fileSize: number) => store.items.replaceItem(stamp(), item.id, upload(fileSize), '', little);
    await expect(replace(501)).rejects.toThrow(WikiRefused);
    expect((await replace(300)).fileSize).toBe(300);
    expect(await database.get('SELECT bytes FROM storage_use WHERE user_id = ?', user)).toEqual({ bytes: 300 });
  });

  test('other bytes make a new version, with a job of its own; the old bytes become garbage', async () => {
    const base = await newBase();
    const item = await add(file(base));
    const upload = {
      mediaId: newId('media'),
      userId: user,
      baseId: base,
      blobKey: 'media/new.md',
      fileName: 'n.md',
      fileExt: 'md',
      contentType: 'text/markdown',
      mediaType: 7,
      kind: 'markdown' as const,
      fileSize: 20,
      createdAt: 0,
      expiresAt: 0,
    };
    await store.uploads.createUpload(null, upload);
    const replaced = await store.items.replaceItem(stamp(), item.id, upload, '', limits);
    expect([
      replaced.version,
      replaced.state,
      replaced.blobKey,
      (await jobs(item.id)).length,
      await store.uploads.upload(upload.mediaId),
    ]).toEqual([2, 'queued', 'media/new.md', 1, undefined]);
    expect(await store.texts.saveText(stamp(), item.id, 1, text)).toBe(false);
    expect(await store.uploads.garbage(0, 1000)).toContain(item.blobKey);
    expect(await database.get('SELECT bytes FROM storage_use WHERE user_id = ?', user)).toEqual({ bytes: 20 });
  });

  /** Thousands of items in one statement. */
  async function fillFolder(base: string, folder: string, items: number): Promise<void> {
    await store.tree.createFolder(stamp({ userId: user }), { id: folder, baseId: base, parentId: base, name: folder });
    await database.write(null, async (tx) => {
      await tx.run(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${items})
         INSERT INTO wiki_item (id, base_id, folder_id, user_id, media_type, is_file, title, title_hash, state,
           reason, kind, file_name, content_type, file_size, cos_key, content_id, sealed_password, last_modify_time, version, place, created_at, modified_at)
         SELECT ? || CAST(i AS TEXT), ?, ?, ?, 7, 1, 't', i, 'done', '', 'markdown', 't.md', 'text/markdown', 0, '', '', '', 0, 1, i, 0, 0 FROM n`,
        `${folder}_`,
        base,
        folder,
        user,
      );
      await tx.run('UPDATE wiki_folder SET file_number = ? WHERE id = ?', items, folder);
      await tx.run('UPDATE wiki_base SET item_count = item_count + ? WHERE id = ?', items, base);
    });
  }

  test('[finding R14] a copy of too much is refused before any of it is made', { timeout: 60_000 }, async () => {
    const base = await newBase();
    const folder = newId('folder');
    await fillFolder(base, folder, 10_000);
    const copy = { ids: [folder], fromBaseId: base, toBaseId: base, toFolderId: base, userId: user };
    /** Rows written, those that were taken back among them. PostgreSQL tells it too late to be of use. */
    const written = async (): Promise<unknown> =>
      name === 'sqlite' && database.write(null, (tx) => tx.get('SELECT total_changes() AS n'));
    const before = await written();
    await expect(store.tree.copy(stamp({ userId: user }), copy, limits)).rejects.toMatchObject({
      why: { reason: 'too_many_copies', limit: 10_000 },
    });
    expect(await written()).toEqual(before);
  });

  test(
    '[finding R14] a copy of thousands is whole, with places, counts and the word to the search index',
    { timeout: 60_000 },
    async () => {
      const base = await newBase();
      const folder = newId('folder');
      await fillFolder(base, folder, 2345);
      await database.write(null, (tx) =>
        tx.run("INSERT INTO wiki_tag (item_id, tag) VALUES (?, 'red')", `${folder}_7`),
      );
      const made = await store.tree.copy(
        stamp({ userId: user }),
        { ids: [folder], fromBaseId: base, toBaseId: base, toFolderId: base, userId: user },
        limits,
      );
      const copied = made.get(folder)!;
      const rows = await database.all<{ id: string; place: number; title_hash: number }>(
        'SELECT id, place, title_hash FROM wiki_item WHERE folder_id = ? ORDER BY place',
        copied,
      );
      expect(rows.map((row) => row.title_hash)).toEqual(Array.from({ length: 2345 }, (_, i) => i + 1));
      expect(new Set(rows.map((row) => row.place)).size).toBe(2345);
      expect([(await store.tree.folder(copied))?.fileNumber, (await store.bases.base(base, user))?.itemCount]).toEqual([
        2345, 4690,
      ]);
      expect([...(await store.items.tags([rows[6]!.id])).values()]).toEqual([['red']]);
      const told = await database.get(
        'SELECT COUNT(*) AS n FROM search_outbox WHERE id IN (SELECT id FROM wiki_item WHERE folder_id = ?)',
        copied,
      );
      expect(told).toEqual({ n: 2345 });
    },
  );

  test('garbage that something refers to again is forgotten, not deleted', async () => {
    const base = await newBase();
    const item = await add(file(base));
    await store.uploads.discard(item.blobKey);
    expect(await store.uploads.garbage(0, 1000)).not.toContain(item.blobKey);
    await store.uploads.discard('media/later.zip', 500);
    expect(
      [await store.uploads.garbage(499, 1000), await store.uploads.garbage(500, 1000)].map((keys) =>
        keys.includes('media/later.zip'),
      ),
    ).toEqual([false, true]);
  });

  test('one personal base a user, however many ask at once', async () => {
    const userId = newId('user');
    const make = () =>
      store.bases.ensurePersonal(stamp({ userId }), {
        id: newId('kb'),
        userId,
        name: 'P',
        description: '',
        coverUrl: '',
        questions: [],
        isPersonal: true,
      });
    await Promise.all(Array.from({ length: 8 }, make));
    expect((await store.bases.basesOf(userId)).map((base) => base.isPersonal)).toEqual([true]);
  });

  test('titles are told apart though they share a number', async () => {
    const base = await newBase();
    await add(file(base, { title: 'real.md' }));
    await database.write(null, (tx) =>
      tx.run('UPDATE wiki_item SET title_hash = ? WHERE base_id = ?', titleHash('other.md'), base),
    );
    expect(await store.items.takenTitles(base, ['other.md'])).toEqual(new Set());
    await database.write(null, (tx) =>
      tx.run('UPDATE wiki_item SET title_hash = ? WHERE base_id = ?', titleHash('real.md'), base),
    );
    expect(await store.items.takenTitles(base, ['other.md', 'real.md'])).toEqual(new Set(['real.md']));
  });

  test('titles of any characters are found, in lists of any length', async () => {
    const base = await newBase();
    const odd = [
      '',
      'line\nbreak',
      'back\\slash',
      '"quoted"',
      'nul\0',
      'half \ud83d',
      '\u00e9t\u00e9.md',
      '한글',
      'ガ',
      '报告 1',
      '😀',
    ];
    for (const title of [...odd, 'twice', 'twice']) await add(file(base, { title, fileSize: 0 }));
    const others = (count: number): string[] => Array.from({ length: count }, (_, i) => `no such ${i}`);
    for (const count of [0, 1, 53, 488, 489, 1990, 4100])
      expect([count, await store.items.takenTitles(base, [...others(count), ...odd, 'twice'])]).toEqual([
        count,
        new Set([...odd, 'twice']),
      ]);
    expect(
      await store.items.takenTitles(base, [
        'e\u0301te\u0301.md',
        '\u1112\u1161\u11ab\u1100\u1173\u11af',
        'カ\u3099',
        'line',
        'break',
        'back',
      ]),
    ).toEqual(new Set(['e\u0301te\u0301.md', '\u1112\u1161\u11ab\u1100\u1173\u11af', 'カ\u3099']));
    expect(await store.items.takenTitles(base, [])).toEqual(new Set());
    expect(await store.items.takenTitles(newId('folder'), odd)).toEqual(new Set());
  });
});

test('every character, after another and before one, is composed as NFC says', () => {
  const wrong: string[] = [];
  for (let code = 0; code < 0x10000; code++) {
    const character = String.fromCharCode(code);
    for (const text of [character, `a${character}`, `か${character}`, `가${character}`, `${character}\u0301`])
      if (toNfc(text) !== text.normalize('NFC')) wrong.push(code.toString(16));
  }
  expect(wrong).toEqual([]);
});
