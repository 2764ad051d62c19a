import { expect, test } from 'vitest';
import type { App } from '../../src/app.ts';
import { InProcessEventBus } from '../../src/adapters/events/in-process-bus.ts';
import type { Caller } from '../../src/context.ts';
import { EventStreamLimits } from '../../src/transports/event-stream-limits.ts';
import { startServer, type Key, type TestServer } from '@sheaf/tools/testing/test-server.ts';
import { metaOf } from './wire.ts';

interface Stream {
  status: number;
  body: any;
  close(): void;
}

async function listen(server: TestServer, resources: string[], as: Key): Promise<Stream> {
  const control = new AbortController();
  const response = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${as.apiKey}`,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'subscriptions/listen',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'subscriptions/listen',
      params: { _meta: metaOf(), notifications: { resourceSubscriptions: resources } },
    }),
    signal: control.signal,
  });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  return { status: response.status, body: isStream ? undefined : await response.json(), close: () => control.abort() };
}

const uris = (count: number, name: string): string[] =>
  Array.from({ length: count }, (_, index) => `sheaf://note/${name}_${index}`);

test('[finding R18] a user has so many streams of events and watched resources, over MCP and HTTP together', async () => {
  const server = await startServer();
  const other = await server.newUser();
  const { data } = await server.call('http', 'manage', 'create_file', { title: 'Heard' });
  const events = async (): Promise<Stream> => {
    const control = new AbortController();
    const response = await fetch(`${server.url}/openapi/sheet/v1/events?file_id=${data.file_id}`, {
      headers: { authorization: server.owner.apiKey },
      signal: control.signal,
    });
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    return {
      status: response.status,
      body: isStream ? undefined : await response.json(),
      close: () => control.abort(),
    };
  };
  const open: Stream[] = [];
  for (let count = 0; count < 10; count++) open.push(await listen(server, uris(100, `n${count}`), server.owner));
  const resources = await listen(server, uris(1, 'more'), server.owner);
  expect([resources.status, resources.body.error]).toEqual([
    429,
    {
      code: 20002,
      message:
        'the event streams of this user may watch at most 1000 resources together (1000 are watched, 1 were asked for); close some first',
      data: { retryAfter: 10 },
    },
  ]);
  for (let count = 10; count < 64; count++) open.push(await (count % 2 ? events() : listen(server, [], server.owner)));
  expect(open.map(({ status }) => status)).toEqual(open.map(() => 200));
  for (const refused of [await events(), await listen(server, [], server.owner)]) {
    expect(refused.status).toBe(429);
    expect(JSON.stringify(refused.body)).toContain(
      '64 event streams of this user are open, which is the most; close some first',
    );
  }
  const unaffected = await listen(server, uris(1, 'x'), other);
  expect(unaffected.status).toBe(200);
  for (const stream of open) stream.close();
  await expect
    .poll(async () => {
      const again = await listen(server, uris(100, 'again'), server.owner);
      again.close();
      return again.status;
    })
    .toBe(200);
  unaffected.close();
  await server.close();
}, 60_000);

test('[finding R18] what a caller may watch is found once for all its streams, and anew after a change of access', async () => {
  const events = new InProcessEventBus();
  const listeners = EventStreamLimits.of({ services: { events } } as unknown as App);
  let found = 0;
  const watch = (keyId: string): Promise<unknown> =>
    listeners.watch('sheaf://note/a', { userId: 'u', keyId } as Caller, async () => {
      found++;
      return { topic: 'note:a' };
    });
  for (let count = 0; count < 150; count++) expect(await watch('one')).toEqual({ topic: 'note:a' });
  expect(found).toBe(1);
  await watch('two');
  expect(found).toBe(2);
  await events.publish('access', { user_id: 'u' });
  await new Promise((resolve) => setTimeout(resolve, 20));
  await watch('one');
  expect(found).toBe(3);
});
