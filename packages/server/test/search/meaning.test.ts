import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backup } from '../../src/adapters/backup/backup.ts';
import { restore } from '../../src/adapters/backup/restore.ts';
import { FilesystemBlobStore } from '../../src/adapters/blob/filesystem-store.ts';
import { newDatabaseLocation } from '@sheaf/tools/testing/databases.ts';
import { startEmbeddings, type EmbeddingEndpoint } from '@sheaf/tools/testing/embeddings-endpoint.ts';
import { freshPostgres } from '@sheaf/tools/testing/postgres.ts';
import { startServer, type Key, type ServerOptions, type TestServer } from '@sheaf/tools/testing/test-server.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';

interface Hit {
  media_id: string;
  title: string;
  match: string;
  highlight_content?: string;
}

interface Page {
  info_list: Hit[];
  total: number;
  is_end: boolean;
  next_cursor: string;
  keyword_only?: boolean;
}

/** A server, and what a person does with it. */
class Bench {
  readonly server: TestServer;

  constructor(server: TestServer) {
    this.server = server;
  }

  async ask(operation: string, input: object, as?: Key, module = 'wiki'): Promise<any> {
    const answer = await this.server.call('http', module, operation, input, as);
    if (answer.code !== 0) throw new Error(`${operation}: ${answer.code} ${answer.msg}`);
    return answer.data;
  }

  async base(as?: Key): Promise<string> {
    return (await this.ask('create_knowledge_base', { name: 'Base' }, as)).knowledge_base_id as string;
  }

  async add(base: string, title: string, text: string, as?: Key): Promise<string> {
    const content = Buffer.from(text).toString('base64');
    const { media_id: id } = await this.ask(
      'upload_knowledge',
      { knowledge_base_id: base, file_name: `${title}.txt`, title, content },
      as,
    );
    await this.ask('get_knowledge_state', { media_ids: [id], wait_seconds: 30 }, as);
    return id as string;
  }

  settled(): Promise<void> {
    return this.server.app.services.searchFeed.waitUntilDrained();
  }

  search(base: string, query: string, more: object = {}, as?: Key): Promise<Page> {
    return this.ask('search_knowledge', { knowledge_base_id: base, query, cursor: '', ...more }, as);
  }

  async titles(base: string, query: string, more: object = {}): Promise<string[]> {
    return (await this.search(base, query, more)).info_list.map((hit) => hit.title);
  }

  vectors(where = ''): Promise<{ id: string; model: string; bytes: number }[]> {
    return this.server.app.database.all(
      `SELECT id, model, length(data) AS bytes FROM search_vector WHERE length(data) > 0 ${where} ORDER BY id`,
    );
  }

  waiting(): Promise<{ id: string }[]> {
    return this.server.app.database.all('SELECT id FROM search_vector_outbox');
  }
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 300; turn++) {
    if (await isTrue()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('it did not come about within 30 seconds');
}

const texts: [string, string][] = [
  ['Garage', 'The automobile needs fuel and a new tire.'],
  ['Clinic', 'Our physician sees patients on Mondays.'],
  ['Mood', 'Everybody was glad about the weather.'],
  ['Kitchen', 'Boil the noodles for nine minutes.'],
];

for (const database of ['sqlite', 'postgres'] as const) {
  describe(`search by meaning on ${database}`, () => {
    let endpoint: EmbeddingEndpoint;
    let bench: Bench;
    let options: ServerOptions;
    let base: string;
    const ids = new Map<string, string>();

    beforeAll(async () => {
      endpoint = await startEmbeddings();
      options = {
        database,
        ...(database === 'postgres' ? { databaseUrl: await freshPostgres() } : {}),
        config: { SHEAF_EMBED_URL: endpoint.url, SHEAF_EMBED_KEY: 'sk-embed', SHEAF_EMBED_MODEL: 'words-1' },
      };
      bench = new Bench(await startServer(options));
      base = await bench.base();
      for (const [title, text] of texts) ids.set(title, await bench.add(base, title, text));
      await bench.settled();
    });
    afterAll(async () => {
      await bench?.server.close();
      await endpoint?.close();
    });

    test('finds what means the same and has none of the words', async () => {
      expect(await bench.search(base, 'car')).toMatchObject({
        info_list: [
          { title: 'Garage', match: 'meaning', highlight_content: 'The automobile needs fuel and a new tire.' },
        ],
        total: 1,
        is_end: true,
      });
      expect(await bench.search(base, 'surgeon', { mode: 'meaning' })).toMatchObject({
        info_list: [{ title: 'Clinic', match: 'meaning' }],
        total: 1,
      });
      expect(await bench.search(base, 'car', { mode: 'keyword' })).toMatchObject({ info_list: [], total: 0 });
      // A question that is still being typed is not sent.
      expect(await bench.titles(base, 'cheerful', { prefix: true })).toEqual([]);
    });

    test('ranks words and meaning together, and counts nothing twice', async () => {
      const found = await bench.search(base, 'vehicle noodles');
      expect(found.info_list.map((hit) => [hit.title, hit.match])).toEqual([
        ['Kitchen', 'some'],
        ['Garage', 'meaning'],
      ]);
      expect(found).toMatchObject({ total: 2, is_end: true });
      expect((await bench.search(base, 'automobile tire')).info_list[0]).toMatchObject({
        title: 'Garage',
        match: 'all',
      });
    });

    test('[finding S20] what has most of the words stays first, even if others are nearer in meaning', async () => {
      const own = await bench.base();
      const filler = 'harbour lantern meadow pillow ribbon saddle thimble walnut';
      await bench.add(own, 'Words', `The old red tractor of the village: ${filler}.`);
      await bench.add(own, 'Near', 'An old automobile.');
      for (const title of ['First', 'Second', 'Third']) await bench.add(own, title, 'One vehicle.');
      await bench.settled();
      const found = await bench.search(own, 'old red village car');
      expect(found.info_list.map((hit) => hit.title).slice(0, 2)).toEqual(['Words', 'Near']);
      expect(found.total).toBe(5);
      await bench.ask('delete_knowledge_base', { knowledge_base_id: own });
    });

    test('sends texts with the key and the model, as passages with their title', () => {
      expect(endpoint.asked.every((one) => one.authorization === 'Bearer sk-embed' && one.model === 'words-1')).toBe(
        true,
      );
      expect(endpoint.asked.flatMap((one) => one.input)).toContain('Garage\nThe automobile needs fuel and a new tire.');
    });

    test('search_passages gives the passage that is near, search_all notes too', async () => {
      const long = `${'Filler words that say nothing at all here. '.repeat(200)}\n\nThe surgeon operates at dawn.`;
      const id = await bench.add(base, 'Long', long);
      const { note_id: note } = await bench.ask(
        'import_doc',
        { content_format: 1, content: '# Trip\n\nWe took the vehicle to the sea.' },
        undefined,
        'note',
      );
      await bench.settled();
      const { passages, documents } = await bench.ask('search_passages', { query: 'doctor', knowledge_base_id: base });
      const at = documents.findIndex((one: { id: string }) => one.id === id);
      expect(documents[at]).toMatchObject({ kind: 'knowledge', match: 'meaning' });
      expect(passages.find((one: { document: number }) => one.document === at)).toMatchObject({
        text: expect.stringContaining('The surgeon operates at dawn.'),
      });
      const all = await bench.ask('search_all', { query: 'car' });
      expect(all.info_list.map((one: { id: string }) => one.id)).toEqual(
        expect.arrayContaining([note, ids.get('Garage')]),
      );
      await bench.ask('delete_knowledge', { knowledge_base_id: base, media_ids: [id] });
    });

    test('search_file finds spreadsheets by meaning, page by page, and by words alone where asked', async () => {
      const file = (query: string, more: object = {}) =>
        bench.ask('search_file', { query, ...more }, undefined, 'manage');
      const made: string[] = [];
      for (const title of ['Automobile fleet', 'Vehicle costs', 'Noodle prices'])
        made.push((await bench.ask('create_file', { title }, undefined, 'manage')).file_id);
      await bench.settled();
      const idsOf = ({ files }: { files: { file_id: string }[] }): string[] => files.map((one) => one.file_id);
      const whole = await file('car');
      expect([whole.total, idsOf(whole).sort()]).toEqual([2, made.slice(0, 2).sort()]);
      const pages = [await file('car', { limit: 1 }), await file('car', { limit: 1, offset: 1 })];
      expect(pages.flatMap(idsOf)).toEqual(idsOf(whole));
      expect(idsOf(await file('vehicle', { mode: 'meaning' })).sort()).toEqual(made.slice(0, 2).sort());
      expect(await file('car', { mode: 'keyword' })).toMatchObject({ files: [], total: 0 });
      for (const file_id of made) await bench.ask('delete_file', { file_id }, undefined, 'manage');
    });

    test('what is deleted, or moved away, leaves nothing behind', async () => {
      const other = await bench.base();
      const gone = await bench.add(base, 'Gone', 'This automobile is sold.');
      const moved = await bench.add(base, 'Moved', 'That automobile is moved.');
      await bench.settled();
      expect(await bench.titles(base, 'car')).toEqual(expect.arrayContaining(['Gone', 'Moved', 'Garage']));
      await bench.ask('delete_knowledge', { knowledge_base_id: base, media_ids: [gone] });
      await bench.ask('move_knowledge', {
        knowledge_base_id: base,
        media_ids: [moved],
        target_knowledge_base_id: other,
      });
      await bench.settled();
      expect(await bench.titles(base, 'car')).toEqual(['Garage']);
      const { documents } = await bench.ask('search_passages', { query: 'car', knowledge_base_id: base });
      expect(documents.map((one: { title: string }) => one.title)).toEqual(['Garage']);
      expect(await bench.titles(other, 'car')).toEqual(['Moved']);
      expect((await bench.vectors()).map((row) => row.id)).not.toContain(gone);
      await bench.ask('delete_knowledge_base', { knowledge_base_id: other });
      await bench.settled();
      expect((await bench.vectors()).map((row) => row.id)).not.toContain(moved);
    });

    test('a base can be left out: nothing of it is sent, and what was made is forgotten', async () => {
      const own = await bench.base();
      const id = await bench.add(own, 'Secret', 'A secret automobile.');
      await bench.settled();
      expect(await bench.titles(own, 'car')).toEqual(['Secret']);
      await bench.ask('update_knowledge_base', { knowledge_base_id: own, search_by_meaning: false });
      const { infos } = await bench.ask('get_knowledge_base', { ids: [own] });
      expect(infos[own].search_by_meaning).toBe(false);
      const sent = endpoint.asked.length;
      await bench.add(own, 'Later', 'Another secret vehicle.');
      await bench.settled();
      expect((await bench.vectors()).map((row) => row.id)).not.toContain(id);
      expect(endpoint.asked.slice(sent).flatMap((one) => one.input)).toEqual([]);
      expect(await bench.titles(own, 'car')).toEqual([]);
      expect(await bench.titles(own, 'secret')).toEqual(expect.arrayContaining(['Secret', 'Later']));
      await bench.ask('update_knowledge_base', { knowledge_base_id: own, search_by_meaning: true });
      await bench.settled();
      expect(await bench.titles(own, 'car')).toEqual(expect.arrayContaining(['Secret', 'Later']));
    });

    test('pages neither repeat nor skip, whatever comes and goes between them', async () => {
      const own = await bench.base();
      const added: string[] = [];
      for (let index = 0; index < 36; index++) {
        const text = index % 3 === 0 ? `vehicle number ${index}` : `noodles, portion ${index}`;
        added.push(await bench.add(own, `Thing ${index}`, text));
      }
      await bench.settled();
      const first = await bench.search(own, 'car noodles');
      expect(first.total).toBe(36);
      expect(first.is_end).toBe(false);
      const shown = first.info_list.map((hit) => hit.media_id);
      const unshown = added.filter((id) => !shown.includes(id));
      const [dropped, ...kept] = unshown;
      await bench.ask('delete_knowledge', { knowledge_base_id: own, media_ids: [shown[0], shown[5], dropped] });
      for (let index = 0; index < 4; index++) await bench.add(own, `New ${index}`, 'car noodles, car noodles');
      await bench.settled();
      const rest: string[] = [];
      for (let page = first; !page.is_end;) {
        page = await bench.search(own, 'car noodles', { cursor: page.next_cursor });
        rest.push(...page.info_list.map((hit) => hit.media_id));
      }
      expect(new Set(rest).size).toBe(rest.length);
      expect(rest.filter((id) => shown.includes(id))).toEqual([]);
      expect(kept.filter((id) => !rest.includes(id))).toEqual([]);
    });

    test('an endpoint that is away breaks neither a search nor an upload, and is told of', async () => {
      for (const mood of ['away', 'redirect'] as const) {
        endpoint.mood = mood;
        const title = `While ${mood}`;
        const id = await bench.add(base, title, `The automobile of the time it was ${mood}.`);
        expect(await bench.ask('get_knowledge_state', { media_ids: [id] })).toMatchObject({ is_done: true });
        const found = await bench.search(base, `automobile ${mood}`);
        expect(found.info_list[0]).toMatchObject({ title, match: 'all' });
        expect(found.keyword_only).toBe(true);
        expect((await bench.search(base, `automobile ${mood}`, { mode: 'meaning' })).keyword_only).toBe(true);
        await until(async () => (await bench.waiting()).length > 0);
        endpoint.mood = 'well';
        await until(async () => (await bench.waiting()).length === 0);
        expect((await bench.vectors()).map((row) => row.id)).toContain(id);
      }
    });

    test('another node finds what this one was told', async () => {
      if (database === 'sqlite') return;
      const second = new Bench(await startServer({ ...options, folder: bench.server.folder }));
      try {
        const search = (): Promise<Page> => second.search(base, 'physician', {}, bench.server.owner);
        expect((await search()).info_list.map((hit) => hit.title)).toEqual(['Clinic']);
        await bench.add(base, 'Ward', 'The doctor on duty.');
        await bench.settled();
        expect((await search()).info_list.map((hit) => hit.title)).toEqual(['Clinic', 'Ward']);
      } finally {
        await second.server.close();
      }
    });

    test('a restored server makes them anew, and leaves out what was left out before', async () => {
      const own = await bench.base();
      const secret = await bench.add(own, 'Vault', 'A vehicle nobody may know of.');
      await bench.ask('update_knowledge_base', { knowledge_base_id: own, search_by_meaning: false });
      await bench.settled();
      const target = join(await temporaryFolder(), 'backup');
      const blobs = new FilesystemBlobStore(await temporaryFolder());
      await backup({ database: bench.server.app.database, blobs, target });
      const place = await newDatabaseLocation(database);
      const copy = await place.connect();
      await restore({ source: target, database: copy, blobs });
      await copy.close();
      const where = database === 'postgres' ? { databaseUrl: place.location } : { folder: dirname(place.location) };
      const restored = new Bench(await startServer({ ...options, ...where }));
      try {
        await restored.settled();
        const found = await restored.search(base, 'car', {}, bench.server.owner);
        expect(found.info_list.map((hit) => hit.title)).toContain('Garage');
        const made = (await restored.vectors()).map((row) => row.id);
        expect(made).toEqual((await bench.vectors()).map((row) => row.id));
        expect(made).not.toContain(secret);
      } finally {
        await restored.server.close();
      }
    });

    test('another model makes all of them anew, and only one is kept; without one nothing is sent', async () => {
      const before = await bench.vectors();
      const { owner, folder } = bench.server;
      const again = async (config: ServerOptions['config']): Promise<void> => {
        await bench.server.close();
        bench = new Bench(await startServer({ ...options, folder, config }));
        await bench.settled();
      };
      await again({ ...options.config, SHEAF_EMBED_MODEL: 'words-2' });
      await until(async () => (await bench.vectors("AND model <> 'words-2'")).length === 0);
      expect((await bench.vectors()).map((row) => row.id)).toEqual(before.map((row) => row.id));
      expect((await bench.search(base, 'happy', {}, owner)).info_list[0]).toMatchObject({ title: 'Mood' });
      await again({});
      const sent = endpoint.asked.length;
      expect((await bench.search(base, 'happy', {}, owner)).info_list).toEqual([]);
      const refused = await bench.server.call(
        'http',
        'wiki',
        'search_knowledge',
        { knowledge_base_id: base, query: 'happy', cursor: '', mode: 'meaning' },
        owner,
      );
      expect(refused).toMatchObject({ code: 110001, msg: expect.stringContaining('SHEAF_EMBED_URL') });
      await bench.ask('delete_knowledge', { knowledge_base_id: base, media_ids: [ids.get('Mood')] }, owner);
      await bench.settled();
      expect((await bench.vectors()).map((row) => row.id)).not.toContain(ids.get('Mood'));
      expect(endpoint.asked.length).toBe(sent);
    });
  });
}
