import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wiki } from '../../../src/modules/wiki/index.ts';
import { startServer, type TestServer } from '@sheaf/tools/testing/test-server.ts';

describe('the error numbers of the wiki module', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ config: { SHEAF_RATE_LIMIT: 1 } });
  });
  afterAll(() => server.close());

  test('[W6] every number of the specification is in the table, with its word', () => {
    const codes = Object.values(wiki.errors).map((entry) => entry.code);
    for (const code of [110001, 110002, 110010, 110011, 110012, 110013, 110020, 110021, 110030, 20004])
      expect(codes).toContain(code);
  });

  test('[W9] 110002 says why it is never answered; nothing else does', () => {
    const never = Object.entries(wiki.errors).filter(([, entry]) => 'never' in entry);
    expect(never.map(([word, entry]) => [word, entry.code])).toEqual([['configuration', 110002]]);
  });

  test('[W6] 110012 for an unknown operation, 20004 for a wrong key, 110021 over the rate', async () => {
    const post = async (name: string, apiKey = server.owner.apiKey) => {
      const headers = {
        'svc-openapi-clientid': server.owner.clientId,
        'svc-openapi-apikey': apiKey,
        'content-type': 'application/json',
      };
      const response = await fetch(`${server.url}/openapi/wiki/v1/${name}`, {
        method: 'POST',
        headers,
        body: '{"cursor":"","limit":1}',
      });
      return [response.status, await response.json()] as [number, { code: number; data: object }];
    };
    expect(await post('no_such_operation')).toMatchObject([404, { code: 110012, data: {} }]);
    expect(await post('get_addable_knowledge_base_list', 'sk_wrong')).toMatchObject([401, { code: 20004, data: {} }]);
    const answers: [number, { code: number }][] = [];
    for (let i = 0; i < 8; i++) answers.push(await post('get_addable_knowledge_base_list'));
    expect(answers[0]).toMatchObject([200, { code: 0 }]);
    expect(answers.at(-1)).toMatchObject([429, { code: 110021, data: {} }]);
  });
});
