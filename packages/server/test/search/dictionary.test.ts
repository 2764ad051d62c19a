import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { dictionaryFile } from '@sheaf/tools/testing/dictionary-file.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';
import { startServer, type TestServer } from '@sheaf/tools/testing/test-server.ts';

const texts: Record<string, string> = {
  leave: 'Every employee has fifteen days of paid annual leave. Apply two weeks ahead; the manager approves it.',
  budget: 'The departments submit their budget in October. The committee approves it in November.',
  glacier: 'A glacier forms where more snow falls in winter than melts in summer, and flows slowly downhill.',
  tea: 'Green tea is heated soon after picking. The temperature of the water should not be above eighty degrees.',
  蜜蜂: '蜜蜂通过舞蹈告诉同伴花蜜的方向和距离，蜂群由蜂王、工蜂和雄蜂组成。',
  发动机: '柴油发动机靠压缩点燃燃料，汽油发动机需要火花塞。',
  ...Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`snow ${i}`, `Snow fell on day ${i} of that winter.`])),
};

/** Questions in the other language, and the text that answers each. */
const questions: [question: string, title: string][] = [
  ['员工每年有几天年假？', 'leave'],
  ['預算委員會什麼時候批准預算', 'budget'],
  ['冰川是怎么形成的', 'glacier'],
  ['泡绿茶的水温是多少', 'tea'],
  ['how do bees dance to tell the direction of nectar', '蜜蜂'],
  ['why does a diesel engine need no spark plug', '发动机'],
];

async function ask(server: TestServer, operation: string, input: object): Promise<any> {
  const answer = await server.call('http', 'wiki', operation, input);
  if (answer.code !== 0) throw new Error(`${operation}: ${answer.code} ${answer.msg}`);
  return answer.data;
}

async function filled(server: TestServer): Promise<string> {
  const { knowledge_base_id } = await ask(server, 'create_knowledge_base', { name: 'Base' });
  for (const [title, text] of Object.entries(texts))
    await ask(server, 'upload_knowledge', {
      knowledge_base_id,
      file_name: `${title}.txt`,
      title,
      content: Buffer.from(text).toString('base64'),
    });
  await server.app.services.searchFeed.waitUntilDrained();
  return knowledge_base_id;
}

for (const database of ['sqlite', 'postgres'] as const)
  describe(`a dictionary on ${database}`, () => {
    let server: TestServer;
    let base: string;
    const search = (query: string, more: object = {}): Promise<any> =>
      ask(server, 'search_knowledge', { query, cursor: '', knowledge_base_id: base, ...more });
    beforeAll(async () => {
      const path = await dictionaryFile({ isCompressed: database === 'postgres' });
      server = await startServer({ database, config: { SHEAF_DICTIONARY: path } });
      base = await filled(server);
    });
    afterAll(() => server?.close());

    test('[finding S22] a question in the other language finds its answer', async () => {
      const found = [];
      for (const [question] of questions) found.push((await search(question)).info_list[0]?.title);
      expect(found).toEqual(questions.map(([, title]) => title));
    });

    test('[finding S22] the answer tells what was searched, and marks it', async () => {
      const { info_list, corrected } = await ask(server, 'search_all', { query: '年假', knowledge_base_id: base });
      expect(info_list[0]).toMatchObject({ title: 'leave', match: 'some' });
      expect(info_list[0].highlight_content).toContain('<em>leave</em>');
      expect(corrected['年假']).toContain('annual leave');
    });

    test('a question that finds every word is not translated', async () => {
      const { info_list, total } = await search('蜜蜂');
      expect([info_list[0].match, total]).toEqual(['all', 1]);
      expect((await ask(server, 'search_all', { query: 'snow winter' })).corrected).toBeUndefined();
    });

    test('pages of a translated question neither repeat nor skip', async () => {
      const page = (cursor: string): Promise<any> =>
        ask(server, 'search_all', { query: '冬天的雪', knowledge_base_id: base, cursor, limit: 5 });
      const seen: string[] = [];
      for (let cursor = ''; ;) {
        const { info_list, next_cursor, is_end } = await page(cursor);
        seen.push(...info_list.map((hit: { title: string }) => hit.title));
        if (is_end) break;
        cursor = next_cursor;
      }
      const whole = await ask(server, 'search_all', { query: '冬天的雪', knowledge_base_id: base, limit: 50 });
      expect(seen).toEqual(whole.info_list.map((hit: { title: string }) => hit.title));
      expect(seen.length).toBeGreaterThanOrEqual(13);
    });
  });

describe('the setting', () => {
  test('must name a file', () => {
    expect(() => readConfig({ SHEAF_DICTIONARY: '/nowhere/cedict.u8' })).toThrow(
      'SHEAF_DICTIONARY: must be the path of a file (got "/nowhere/cedict.u8")',
    );
  });

  test('a file that is no dictionary leaves the search as it is', async () => {
    const path = join(await temporaryFolder(), 'wrong.txt');
    await writeFile(path, 'no dictionary');
    const server = await startServer({
      database: 'sqlite',
      config: { SHEAF_DICTIONARY: path, SHEAF_LOG_LEVEL: 'silent' },
    });
    try {
      const base = await filled(server);
      const input = { cursor: '', knowledge_base_id: base };
      expect((await ask(server, 'search_knowledge', { query: '年假', ...input })).info_list).toEqual([]);
      expect((await ask(server, 'search_knowledge', { query: '蜜蜂', ...input })).total).toBe(1);
    } finally {
      await server.close();
    }
  });
});
