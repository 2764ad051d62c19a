import { beforeAll, expect, test } from 'vitest';
import { wiki } from '../../../src/modules/wiki/index.ts';
import type { TestServer } from '@sheaf/tools/testing/test-server.ts';
import { withValue } from '../generated.ts';
import { examples } from './examples.ts';
import { makeThings, makeUpload, unknownId, type Things } from './things.ts';
import { onWiki } from './support.ts';

/**
 * [T41] [T42] For every operation, every id in its example input is replaced by one of somebody else, by one of the
 * caller's other base, and by one that names nothing: all are refused, in the same words.
 */
interface Leaf {
  path: (string | number)[];
  value: string;
}

function* ids(value: unknown, path: (string | number)[] = []): Generator<Leaf> {
  if (typeof value === 'string' && /^(kb|folder|media|note|session)_/.test(value)) yield { path, value };
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inside] of Object.entries(value))
    yield* ids(inside, [...path, Array.isArray(value) ? Number(key) : key]);
}

/** What the same kind of id may be confused with. */
function foreign(things: Things, like: string): string[] {
  if (like.startsWith('kb_')) return [things.base];
  if (like.startsWith('folder_')) return [things.folder];
  if (like.startsWith('media_')) return [things.item, things.noteItem, things.folder, things.trashed];
  if (like.startsWith('note_')) return [things.note];
  return [things.session];
}

/** Inputs beside the examples: the other ways to call the same operation. */
const more: Record<string, (server: TestServer, things: Things) => Promise<Record<string, unknown>>> = {
  'add_knowledge of a note': async (_server, { base, folder, note }) => ({
    media_type: 11,
    title: 'N',
    knowledge_base_id: base,
    folder_id: folder,
    note_info: { content_id: note },
  }),
  'add_knowledge of a session': async (_server, { base, folder, session }) => ({
    media_type: 12,
    title: 'S',
    knowledge_base_id: base,
    folder_id: folder,
    session_info: { content_id: session },
  }),
  'add_knowledge of a page': async (_server, { base, folder }) => ({
    media_type: 2,
    title: 'P',
    knowledge_base_id: base,
    folder_id: folder,
    web_info: { content_id: 'https://example.com/' },
  }),
  'rename_knowledge of a folder': async (_server, { folder }) => ({ media_id: folder, title: 'F' }),
  'move_knowledge of a folder': async (_server, { base, folder, otherBase }) => ({
    knowledge_base_id: base,
    media_ids: [folder],
    target_knowledge_base_id: otherBase,
  }),
  'delete_knowledge of two': async (_server, { base, folder, item }) => ({
    knowledge_base_id: base,
    media_ids: [item, folder],
  }),
};

onWiki('two-id confusion', (call, server) => {
  let theirs: Things;
  let elsewhere: Things;
  beforeAll(async () => {
    theirs = await makeThings(server(), await server().newUser());
    elsewhere = await makeThings(server());
  });

  const cases: [string, string][] = [
    ...Object.keys(wiki.operations).map((name): [string, string] => [name, name]),
    ...Object.keys(more).map((title): [string, string] => [title.split(' ')[0]!, title]),
  ];
  for (const [operation, title] of cases) {
    test(`[W2][T41][T42] ${title}`, async () => {
      const example =
        title in more ? await more[title]!(server(), await makeThings(server())) : await examples[operation]!(server());
      for (const { path, value } of ids(example)) {
        const place = String(path.filter((part) => typeof part === 'string').at(-1));
        const none = unknownId(value);
        const expected = await call(operation, withValue(example, path, none));
        const confusable = [
          ...foreign(theirs, value),
          ...(value.startsWith('folder_') && 'knowledge_base_id' in example ? [elsewhere.folder] : []),
        ];
        for (const wrong of confusable) {
          const answer = await call(operation, withValue(example, path, wrong));
          expect([operation, place, answer.code, answer.msg.replaceAll(wrong, 'ID'), answer.data]).toEqual([
            operation,
            place,
            expected.code,
            expected.msg.replaceAll(none, 'ID'),
            expected.data,
          ]);
        }
        if (operation === 'get_knowledge_base')
          expect(expected).toEqual({ code: 0, msg: 'success', data: { infos: {} } });
        else expect([operation, place, expected.code]).toEqual([operation, place, 110030]);
      }
    });
  }

  test('[W2][T16] an upload of somebody else, its key, and its base are refused alike', async () => {
    const mine = await makeThings(server());
    const other = await server().newUser();
    const strange = await makeThings(server(), other);
    const own = await makeUpload(server(), mine.base);
    const foreignUpload = await makeUpload(server(), strange.base, {}, other);
    const add = (media_id: string, cos_key: string, knowledge_base_id = mine.base) =>
      call('add_knowledge', {
        media_type: 7,
        media_id,
        title: 'X',
        knowledge_base_id,
        file_info: { cos_key, file_size: own.file_size, file_name: 'x.md' },
      });
    expect(await add(foreignUpload.media_id, foreignUpload.cos_key)).toMatchObject({ code: 110030, data: {} });
    expect(await add(own.media_id, foreignUpload.cos_key)).toMatchObject({ code: 110030, data: {} });
    expect(await add(foreignUpload.media_id, own.cos_key)).toMatchObject({ code: 110030, data: {} });
    expect(await add(own.media_id, own.cos_key, mine.otherBase)).toMatchObject({ code: 110030, data: {} });
    expect(await add(own.media_id, own.cos_key)).toMatchObject({ code: 0, data: { media_id: own.media_id } });
  });

  test('[W2] what is deleted is as unknown as what never was', async () => {
    const { base, trashed } = await makeThings(server());
    for (const [operation, input] of [
      ['get_media_info', { media_id: trashed }],
      ['get_knowledge_content', { media_id: trashed }],
      ['rename_knowledge', { media_id: trashed, title: 'T' }],
      ['add_tag', { media_id: trashed, tags: ['t'] }],
      ['get_knowledge_state', { media_ids: [trashed] }],
      ['delete_knowledge', { knowledge_base_id: base, media_ids: [trashed] }],
    ] as const) {
      expect([operation, (await call(operation, input)).code]).toEqual([operation, 110030]);
    }
  });
});
