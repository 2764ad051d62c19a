import { afterAll, beforeAll, expect, test } from 'vitest';
import { workbookParts, zipped } from '@sheaf/tools/testing/workbook-parts.ts';
import { startServer, type TestServer } from '@sheaf/tools/testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ database: 'sqlite' });
});
afterAll(() => server.close());

/** Calculates for as long as it may. */
function slowWorkbook(): Uint8Array {
  const rows = Array.from(
    { length: 40 },
    (_, i) => `<row r="${i + 1}"><c r="A${i + 1}"><f>SUMPRODUCT(SQRT(ROW(1:1000000)+${i}))</f></c></row>`,
  );
  return zipped(workbookParts({ Slow: rows.join('') }));
}

test('a long read ends with the one who wanted it: a workbook is not read on for a page that is closed', async () => {
  const wiki = async (operation: string, input: unknown): Promise<any> =>
    (await server.call('http', 'wiki', operation, input)).data;
  const { knowledge_base_id } = await wiki('create_knowledge_base', { name: 'Slow' });
  const content = Buffer.from(slowWorkbook()).toString('base64');
  const { media_id } = await wiki('upload_knowledge', { knowledge_base_id, file_name: 'slow.xlsx', content });

  const { documents, log } = server.app.services;
  const { view } = documents;
  const { debug } = log;
  const gone = new AbortController();
  try {
    const ended = new Promise<Record<string, unknown>>((resolve) => {
      log.debug = ((fields: Record<string, unknown>) => {
        if (fields['operation'] === 'wiki.view_workbook') resolve(fields);
      }) as typeof log.debug;
    });
    documents.view = (...given) => {
      const viewing = view.apply(documents, given);
      gone.abort();
      return viewing;
    };
    const asked = fetch(`${server.url}/openapi/wiki/v1/view_workbook`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'svc-openapi-clientid': server.owner.clientId,
        'svc-openapi-apikey': server.owner.apiKey,
      },
      body: JSON.stringify({ media_id }),
      signal: gone.signal,
    });
    await expect(asked).rejects.toThrow();
    // 0 would be an answer: it would have been calculated for nobody.
    expect(await ended).toMatchObject({ code: 110010 });
  } finally {
    documents.view = view;
    log.debug = debug;
  }
});
