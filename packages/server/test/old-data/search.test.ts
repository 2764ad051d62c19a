/** What 0.1.0 stored is indexed anew by itself, in the background; until then every answer says that it is behind. */
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { startServer } from '@sheaf/tools/testing/test-server.ts';
import { callerOf, must } from './observe.ts';
import { unpackOldData } from './unpack.ts';

interface Answer {
  ids: string[];
  behind: boolean;
}

for (const database of ['sqlite', 'postgres'] as const) {
  test(
    `data of 0.1.0 on ${database} is found by today's search, or missing with a word about it`,
    { timeout: 120_000 },
    async () => {
      const { options, recorded, credentials } = await unpackOldData(database);
      if (database === 'sqlite') {
        // The index of then, which the fixtures leave out: complete, in the tables of then.
        const old = new DatabaseSync(join(options.folder, 'search.db'));
        old.exec(`CREATE TABLE state (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        INSERT INTO state VALUES ('version', '3'), ('complete', '1');
        CREATE VIRTUAL TABLE text_note USING fts5(title, headings, body)`);
        old.close();
      }
      const server = await startServer(options);
      onTestFinished(() => server.close());
      const call = callerOf(server.url, credentials.client_id, credentials.api_key);
      const { base, items, notes } = recorded.library;
      const inBase = async (query: string): Promise<Answer> => {
        const input = { query, cursor: '', knowledge_base_id: base };
        const { info_list, index_behind } = await must(call, 'wiki', 'search_knowledge', input);
        return { ids: info_list.map((one: { media_id: string }) => one.media_id), behind: index_behind === true };
      };
      const inNotes = async (content: string): Promise<Answer> => {
        const input = { search_type: 1, query_info: { content }, start: 0, end: 20 };
        const { search_note_infos, index_behind } = await must(call, 'note', 'search_note', input);
        const ids = search_note_infos.map((one: { note_book_info: { note_id: string } }) => one.note_book_info.note_id);
        return { ids, behind: index_behind === true };
      };
      const asks: [expected: string | undefined, ask: () => Promise<Answer>][] = [
        [items[0], () => inBase('comice conference')],
        [items[1], () => inBase('收入增长了吗')],
        [notes[0], () => inNotes('which trees were pruned')],
        [notes[1], () => inNotes('下雨')],
      ];
      for (const [expected, ask] of asks) {
        let answer = await ask();
        for (let tries = 0; answer.behind && tries < 200; tries++) answer = await ask();
        expect(answer).toEqual({ ids: [expected], behind: false });
      }
    },
  );
}
