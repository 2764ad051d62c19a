import { expect, test } from 'vitest';
import { SqlNoteStore } from '../../src/adapters/sql/notes/note-store.ts';
import { SqlTagStore } from '../../src/adapters/sql/tag-store.ts';
import { SqlWikiStore } from '../../src/adapters/sql/wiki/wiki-store.ts';
import { newId } from '../../src/lib/ids.ts';
import { eachDatabase } from '@sheaf/tools/testing/databases.ts';
import { stamp } from '@sheaf/tools/testing/stamp-fixture.ts';

const user = 'user_1';

eachDatabase('tag store', (_name, open) => {
  test('finds what has all tags, also if more than the limit have one of them', async () => {
    const database = await open();
    const notes = new SqlNoteStore(database);
    const tags = new SqlTagStore(
      database,
      async () => undefined,
      async () => [],
    );
    const preview = { title: 'n', titleKey: 'n', summary: '', coverImage: '' };
    for (const id of ['n1', 'n2', 'n3', 'n4']) {
      await notes.create(
        stamp(),
        { id, userId: user, preview, isTitled: false, markdown: 'x' },
        { noteBytes: 1000, quotaBytes: 100_000, notebooks: 5 },
      );
      const add = id === 'n4' ? ['Tax', 'late'] : ['Tax'];
      await tags.change(stamp(), { kind: 'note', id, ownerId: user }, { add, remove: [], max: 5 });
    }
    expect(await tags.tagged(user, ['tax', 'LATE'], ['note'], 2)).toEqual([{ kind: 'note', id: 'n4' }]);
    expect(await tags.tagged(user, ['tax'], ['note'], 2)).toHaveLength(2);
    expect(await tags.tagged(user, ['tax', 'absent'], ['note'], 2)).toEqual([]);

    const wiki = new SqlWikiStore(database);
    const who = stamp({ userId: user });
    const base = newId('kb');
    await wiki.bases.createBase(who, {
      id: base,
      userId: user,
      name: 'B',
      description: '',
      coverUrl: '',
      questions: [],
      isPersonal: false,
    });
    const items = ['media_1', 'media_2', 'media_3', 'media_4'];
    for (const id of items)
      await wiki.items.addItem(
        who,
        {
          id,
          baseId: base,
          folderId: base,
          userId: user,
          mediaType: 7,
          title: id,
          state: 'queued',
          kind: 'markdown',
          fileName: 't.md',
          contentType: 'text/markdown',
          fileSize: 10,
          blobKey: `media/${id}.md`,
          contentId: '',
          lastModifyTime: 0,
          sealedPassword: 'sealed',
        },
        'keep_both',
        { quotaBytes: 1000 },
      );
    await wiki.items.addTags(who, items, ['tax']);
    await wiki.items.addTags(who, [items[3]!], ['TAX', 'Late']);
    expect(await tags.tagged(user, ['Tax', 'late'], ['item'], 2)).toEqual([{ kind: 'item', id: items[3] }]);
    expect(await tags.tagged(user, ['Tax'], ['item'], 9)).toHaveLength(4);
    // An item with two spellings of a tag is one item.
    expect((await tags.counts(user, ['item'])).map(({ tag, counts }) => [tag.toLowerCase(), counts.item])).toEqual(
      expect.arrayContaining([
        ['tax', 4],
        ['late', 1],
      ]),
    );
  });
});
