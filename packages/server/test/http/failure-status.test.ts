import { expect, onTestFinished, test } from 'vitest';
import { startServer, type TestServer } from '@sheaf/tools/testing/test-server.ts';

async function statusOf(
  server: TestServer,
  module: string,
  operation: string,
  body: string,
): Promise<[number, number]> {
  const response = await fetch(`${server.url}/openapi/${module}/v1/${operation}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'svc-openapi-clientid': server.owner.clientId,
      'svc-openapi-apikey': server.owner.apiKey,
    },
    body,
  });
  const { code, data } = (await response.json()) as { code: number; data: object };
  expect(data).toBeTypeOf('object');
  return [response.status, code];
}

const calls = [
  ['note', 'import_doc', '{"content_format":1,"content":"# Hi"}'],
  ['note', 'import_doc', '{"content_format":9}'],
  ['note', 'import_doc', 'not json'],
  ['sheet', 'get_sheet_info', '{"file_id":"absent"}'],
] as const;

test('[finding Q21] failed calls have the status 200, or with SHEAF_FAILURE_STATUS=http one of their own, and the same body', async () => {
  const usual = await startServer();
  onTestFinished(() => usual.close());
  const other = await startServer({ config: { SHEAF_FAILURE_STATUS: 'http' } });
  onTestFinished(() => other.close());
  const found: [number, number][] = [];
  const told: [number, number][] = [];
  for (const [module, operation, body] of calls) {
    found.push(await statusOf(usual, module, operation, body));
    told.push(await statusOf(other, module, operation, body));
  }
  expect(told.map(([, code]) => code)).toEqual(found.map(([, code]) => code));
  expect(found.map(([status]) => status)).toEqual([200, 200, 200, 200]);
  expect(told.map(([status]) => status)).toEqual([200, 400, 400, 404]);
});
