import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '@sheaf/tools/testing/test-server.ts';
import { metaOf, rpc, type Rpc } from './wire.ts';

/** What a client hears while a call is under way, and how it ends one. */

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ database: 'sqlite' });
});
afterAll(() => server.close());

const send: Rpc = (method, params, options) => rpc(server, method, params, options);
const callTool = (name: string, args: object, options: Parameters<Rpc>[2] = {}) =>
  send('tools/call', { name, arguments: args }, options);

describe('progress and cancellation', () => {
  const csv = (rows: number): string =>
    Buffer.from(Array.from({ length: rows }, (_, row) => `${row},pear,${row * 2}`).join('\n')).toString('base64');

  test.each(['modern', 'older'] as const)(
    'a long call tells how far it is, on its own stream (%s)',
    async (version) => {
      const { type, messages } = await send(
        'tools/call',
        {
          name: 'manage_import_file',
          arguments: { title: 'Told', content: csv(2000) },
          _meta: { ...(version === 'modern' ? metaOf() : {}), progressToken: 'p1' },
        },
        { version, headers: { accept: 'application/json, text/event-stream' } },
      );
      expect(type).toBe('text/event-stream');
      const told = messages.slice(0, -1);
      expect(told.length).toBeGreaterThanOrEqual(2);
      for (const { method, params } of told)
        expect([method, params.progressToken]).toEqual(['notifications/progress', 'p1']);
      const steps = told.map(({ params }) => params.progress as number);
      expect(steps).toEqual([...new Set(steps)].sort((one, other) => one - other));
      expect(told.at(-1)!.params).toMatchObject({ progress: 2, total: 3, message: 'storing 1 sub-sheets' });
      expect(messages.at(-1)!.result.structuredContent.title).toBe('Told');
    },
  );

  test('a long calculation tells what it has used of its budget', async () => {
    const { file_id } = (await callTool('manage_create_file', { title: 'Steps' })).body.result.structuredContent;
    await callTool('sheet_write', { file_id, range: 'A1:A5000', rows: [['=ROW()']] });
    const { messages } = await send(
      'tools/call',
      {
        name: 'sheet_write',
        arguments: { file_id, formulas: { 'B1:B100': '=SUM(SQRT(A$1:A$5000+ROW()))' } },
        _meta: { ...metaOf(), progressToken: 'steps' },
      },
      { headers: { accept: 'text/event-stream' } },
    );
    const steps = messages.slice(0, -1).filter(({ params }) => params.total === 40_000_000);
    expect(steps.length).toBeGreaterThan(0);
    for (const { params } of steps) {
      expect(params.message).toMatch(/^calculating: \d+ of at most 40000000 steps$/);
      expect(params.progress).toBeGreaterThan(0);
    }
    expect(messages.at(-1)!.result.structuredContent.written).toBe(100);
  });

  test('without an Accept of event streams the same call is JSON', async () => {
    const { type, body } = await send(
      'tools/call',
      { name: 'account_get_me', arguments: {}, _meta: { ...metaOf(), progressToken: 7 } },
      { headers: { accept: 'application/json' } },
    );
    expect([type, body.result.structuredContent.name]).toEqual(['application/json', 'owner']);
  });

  test('a refused request is JSON with its status, even where a stream was asked for', async () => {
    const { status, type } = await send(
      'tools/call',
      { name: 'account_get_me', arguments: {}, _meta: { ...metaOf(), progressToken: 7 } },
      { headers: { accept: 'text/event-stream', 'mcp-name': 'other' } },
    );
    expect([status, type]).toEqual([400, 'application/json']);
  });

  test('who closes the stream has cancelled: nothing is imported', async () => {
    const cancel = new AbortController();
    const sent = send(
      'tools/call',
      {
        name: 'manage_import_file',
        arguments: { title: 'Cancelled', content: csv(150_000) },
        _meta: { ...metaOf(), progressToken: 'c' },
      },
      {
        headers: { accept: 'text/event-stream' },
        signal: cancel.signal,
        onMessage: () => cancel.abort(),
      },
    );
    await expect(sent).rejects.toThrow();
    // What comes after it has its turn in the same threads: by then the cancelled one is over.
    await callTool('manage_import_file', { title: 'After', content: csv(10) });
    const { files } = (await callTool('manage_list_files', { cursor: '', limit: 50 })).body.result.structuredContent;
    const titles = files.map((file: { title: string }) => file.title);
    expect(titles).toContain('After');
    expect(titles).not.toContain('Cancelled');
  });

  test('traceparent and the name of the client are in the log', async () => {
    const trace = '00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01';
    const lines: Record<string, unknown>[] = [];
    const { log } = server.app.services;
    const info = log.info;
    log.info = ((fields: Record<string, unknown>) => lines.push(fields)) as typeof log.info;
    try {
      await send('tools/call', {
        name: 'note_import_doc',
        arguments: { content_format: 1, content: '# Traced' },
        _meta: { ...metaOf(), traceparent: trace },
      });
      await send('tools/call', {
        name: 'note_import_doc',
        arguments: { content_format: 1, content: '# Not traced' },
        _meta: { ...metaOf(), traceparent: 'x\nforged' },
      });
    } finally {
      log.info = info;
    }
    const calls = lines.filter((line) => line['operation'] === 'note.import_doc');
    expect(calls.map(({ trace: told, client }) => [told, client])).toEqual([
      [trace, 'test/1'],
      [undefined, 'test/1'],
    ]);
  });
});
