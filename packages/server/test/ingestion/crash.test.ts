import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSqlite } from '../../src/adapters/sql/sqlite/database.ts';
import { call as callHttp } from '@sheaf/client';
import { killServer, startKillableServer } from '@sheaf/tools/testing/killable-server.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';

const jobs = Number(process.env['SHEAF_TEST_JOBS'] ?? 40);
/** The server dies when so many of them are done, each time anew. */
const deaths = [0, Math.floor(jobs / 4), Math.floor(jobs / 2)];

test(
  `[T70] [T72] kill -9 in the middle of ${jobs} queued jobs: afterward each item is ready, none twice, none lost`,
  { timeout: 60_000 + jobs * 1000 },
  async () => {
    const folder = await temporaryFolder();
    let running = await startKillableServer(folder);
    const credentials = JSON.parse(await readFile(join(folder, 'credentials.json'), 'utf8')) as {
      client_id: string;
      api_key: string;
    };
    const call = async (operation: string, input: unknown): Promise<any> => {
      const answer = await callHttp(
        { url: running.url, clientId: credentials.client_id, apiKey: credentials.api_key },
        'wiki',
        operation,
        input,
      );
      expect([operation, answer.code, answer.msg]).toEqual([operation, 0, 'success']);
      return answer.data;
    };
    const { knowledge_base_id: baseId } = await call('create_knowledge_base', { name: 'b' });
    const filler = 'Words that take a while to read.\n\n'.repeat(3000);
    const ids: string[] = [];
    for (let at = 0; at < jobs; at += 8) {
      const some = Array.from({ length: Math.min(8, jobs - at) }, (_, index) => at + index);
      const added = await Promise.all(
        some.map((number) =>
          call('upload_knowledge', {
            knowledge_base_id: baseId,
            file_name: `${number}.md`,
            content: Buffer.from(`# Item ${number}\n\nuniqueword${number}x\n\n${filler}`).toString('base64'),
          }),
        ),
      );
      ids.push(...added.map((each) => each.media_id as string));
    }

    const states = async (): Promise<string[]> => {
      const found: string[] = [];
      for (let at = 0; at < ids.length; at += 100) {
        const { states: some } = await call('get_knowledge_state', { media_ids: ids.slice(at, at + 100) });
        found.push(...some.map((each: { state: string }) => each.state));
      }
      return found;
    };
    const doneReach = async (wanted: number): Promise<void> => {
      for (let turn = 0; turn < 6000; turn++) {
        const done = (await states()).filter((state) => state === 'ready' || state === 'failed').length;
        if (done >= wanted) return;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      throw new Error('the items were not read');
    };
    for (const death of deaths) {
      await doneReach(death);
      await killServer(running);
      running = await startKillableServer(folder);
    }
    await doneReach(ids.length);

    expect(new Set(await states())).toEqual(new Set(['ready']));
    const listed: string[] = [];
    for (let cursor = '', end = false; !end;) {
      const page = await call('get_knowledge_list', { cursor, limit: 50, knowledge_base_id: baseId });
      listed.push(...page.knowledge_list.map((info: { media_id: string }) => info.media_id));
      ({ next_cursor: cursor, is_end: end } = page);
    }
    expect(listed.sort()).toEqual([...ids].sort());
    const found = async (number: number): Promise<string[]> =>
      (
        await call('search_knowledge', { query: `uniqueword${number}x`, cursor: '', knowledge_base_id: baseId })
      ).info_list.map((info: { media_id: string }) => info.media_id);
    for (let number = 0; number < jobs; number++) {
      // The index follows within moments.
      for (let turn = 0; turn < 500 && (await found(number)).length === 0; turn++)
        await new Promise((resolve) => setTimeout(resolve, 20));
      expect(await found(number)).toEqual([ids[number]]);
    }
    await killServer(running);

    // Done once each: what was read before a death was not read again after it.
    const database = await openSqlite(join(folder, 'sheaf.db'));
    const reads = await database.all<{ target: string; n: number }>(
      "SELECT target, COUNT(*) AS n FROM audit WHERE operation = 'job:wiki.parse' GROUP BY target",
    );
    expect(reads.map(({ target, n }) => [target, n]).sort()).toEqual(ids.map((id) => [id, 1]).sort());
    expect(await database.all('SELECT state, COUNT(*) AS n FROM job GROUP BY state')).toEqual([
      { state: 'done', n: jobs },
    ]);
    await database.close();
  },
);
