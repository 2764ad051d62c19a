import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshPostgres } from '@sheaf/tools/testing/postgres.ts';
import { startServer, type Key, type TestServer } from '@sheaf/tools/testing/test-server.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';
import { listen, metaOf, rpc, type Rpc } from './wire.ts';

/** Long work as tasks, as a client of 2026-07-28 that knows the extension asks for it: begun on one node, fetched from others. */

const knowing = metaOf({ extensions: { 'io.modelcontextprotocol/tasks': {} } });
const csv = (rows: number): string =>
  Buffer.from(Array.from({ length: rows }, (_, row) => `${row},pear`).join('\n')).toString('base64');

/** A page of which the end comes when it is let go: what reads it reads on until then. */
class SlowPage {
  readonly #held: ServerResponse[] = [];
  #isFree = false;
  readonly #server: Server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.write('<!doctype html><title>Slow</title><p>pears');
    if (this.#isFree) response.end('</p>');
    else this.#held.push(response);
  });

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }
  letGo(): void {
    this.#isFree = true;
    for (const response of this.#held.splice(0)) response.end('</p>');
  }
  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

for (const { name, count, database } of [
  { name: 'SQLite', count: 1, database: 'sqlite' },
  { name: 'PostgreSQL with three nodes', count: 3, database: 'postgres' },
] as const) {
  describe(`tasks on ${name}`, () => {
    const nodes: TestServer[] = [];
    let options: Parameters<typeof startServer>[0];
    let owner: Key;
    beforeAll(async () => {
      options = {
        database,
        folder: await temporaryFolder(),
        ...(database === 'postgres' ? { databaseUrl: await freshPostgres() } : {}),
        config: { SHEAF_TASK_AFTER: 0, SHEAF_FETCH_ALLOW: ['127.0.0.1'] },
      };
      for (let started = 0; started < count; started++) nodes.push(await startServer(options));
      owner = nodes[0]!.owner;
    });
    afterAll(async () => {
      for (const node of nodes.reverse()) await node.close();
    });

    const on = (place: number): TestServer => nodes[place % count]!;
    const send = (place: number, method: string, params: object, more: Parameters<Rpc>[2] = {}) =>
      rpc(on(place), method, { _meta: knowing, ...params }, { as: owner, ...taskHeader(params), ...more });
    const callTool = async (tool: string, args: object, as: Key = owner) =>
      (await send(0, 'tools/call', { name: tool, arguments: args }, { as })).body.result;
    const get = async (place: number, taskId: string, as: Key = owner) =>
      (await send(place, 'tasks/get', { taskId }, { as })).body;
    const ended = async (taskId: string, as: Key = owner) => {
      for (let place = 0; place < 2000; place++) {
        const { result } = await get(place, taskId, as);
        if (result.status !== 'working') return result;
        await sleep(10);
      }
      throw new Error('the task did not end');
    };
    /** An item that is being read until the page is let go. */
    const slowItem = async () => {
      const page = new SlowPage();
      const url = await page.open();
      const made = await on(0).call('http', 'wiki', 'create_knowledge_base', { name: url }, owner);
      const { knowledge_base_id } = made.data;
      const { data } = await on(0).call('http', 'wiki', 'import_urls', { knowledge_base_id, urls: [url] }, owner);
      return { page, mediaId: data.results[url].media_id as string };
    };
    const waitFor = (mediaId: string) =>
      callTool('wiki_get_knowledge_state', { media_ids: [mediaId], wait_seconds: 30 });

    test('an import and an export are tasks; every node knows what came of them', async () => {
      const begun = await callTool('manage_import_file', { title: 'Late', content: csv(2000) });
      expect(begun).toMatchObject({
        resultType: 'task',
        status: 'working',
        ttlMs: 3_600_000,
        pollIntervalMs: 1000,
        taskId: expect.stringMatching(/^task_[0-9a-z]{26}$/),
      });
      expect(new Date(begun.createdAt).toISOString()).toBe(begun.createdAt);
      const imported = await ended(begun.taskId);
      expect(imported).toMatchObject({
        resultType: 'complete',
        status: 'completed',
        taskId: begun.taskId,
        result: { resultType: 'complete', structuredContent: { title: 'Late' } },
      });
      const { file_id } = imported.result.structuredContent;
      const exporting = await callTool('manage_export_file', { file_id, format: 'csv' });
      const { result } = await ended(exporting.taskId);
      expect(Buffer.from(result.structuredContent.content, 'base64').toString()).toMatch(/^0,pear\n1,pear\n/);
      const { data } = await on(1).call('http', 'account', 'list_audit', { limit: 100 }, owner);
      const tasks = data.rows.filter((one: { target: string }) => one.target === begun.taskId);
      expect(tasks.map((one: { operation: string }) => one.operation)).toEqual(['mcp.create_task']);
    });

    test('what fails is a result like any other', async () => {
      const begun = await callTool('manage_export_file', { file_id: 'doc_none' });
      const result = begun.resultType === 'task' ? (await ended(begun.taskId)).result : begun;
      expect(result.isError).toBe(true);
    });

    test('waiting for parsing says how far it is, and listeners on another node hear of its end', async () => {
      const { page, mediaId } = await slowItem();
      try {
        const { taskId } = await waitFor(mediaId);
        const stream = await listen(on(2), { taskIds: [taskId, 'task_unknown'] }, owner, knowing);
        expect((await stream.next()).params.notifications).toEqual({ taskIds: [taskId] });
        expect(await stream.next()).toMatchObject({
          method: 'notifications/tasks',
          params: { taskId, status: 'working' },
        });
        expect((await get(1, taskId)).result.status).toBe('working');
        page.letGo();
        let last: any;
        do last = (await stream.next()).params;
        while (last.status === 'working');
        stream.close();
        expect(last).toMatchObject({
          taskId,
          status: 'completed',
          result: { structuredContent: { is_done: true, states: [{ media_id: mediaId, state: 'ready' }] } },
        });
        expect((await get(1, taskId)).result.result).toEqual(last.result);
      } finally {
        page.close();
      }
    });

    test('a task is cancelled from any node', async () => {
      const { page, mediaId } = await slowItem();
      try {
        const { taskId } = await waitFor(mediaId);
        const { body } = await send(1, 'tasks/cancel', { taskId });
        expect(Object.keys(body.result).sort()).toEqual(['_meta', 'resultType']);
        expect(await ended(taskId)).toMatchObject({ status: 'cancelled' });
        // Once it has ended, to cancel it is acknowledged and changes nothing; so is an update that nobody waits for.
        expect((await send(2, 'tasks/cancel', { taskId })).body.result.resultType).toBe('complete');
        const update = await send(2, 'tasks/update', { taskId, inputResponses: { any: {} } });
        expect(update.body.result.resultType).toBe('complete');
        expect((await get(0, taskId)).result.status).toBe('cancelled');
      } finally {
        page.close();
      }
    });

    test('a task is for the key that called: not for another one of the user, nor for anybody else', async () => {
      const { taskId } = await callTool('manage_import_file', { title: 'Mine', content: csv(10) });
      await ended(taskId);
      const { data } = await on(0).call('http', 'account', 'create_key', { name: 'other' }, owner);
      const other = { ...owner, clientId: data.key.client_id, apiKey: data.api_key };
      const stranger = await on(0).newUser();
      for (const as of [other, stranger])
        for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update'])
          expect((await send(1, method, { taskId, inputResponses: {} }, { as })).body.error.code).toBe(-32602);
      expect((await send(1, 'tasks/get', { taskId: 'task_none' })).body.error.code).toBe(-32602);
      expect((await send(1, 'tasks/get', {}, { headers: {} })).body.error.message).toContain('taskId');
    });

    test('a task goes with its user, and so does what it counted', async () => {
      const leaver = await on(0).newUser();
      const { taskId } = await callTool('manage_import_file', { title: 'Gone', content: csv(10) }, leaver);
      await ended(taskId, leaver);
      const left = () => on(1).app.database.get('SELECT 1 AS found FROM call_task WHERE id = ?', taskId);
      expect(await left()).toBeDefined();
      const deleted = await on(0).call('http', 'account', 'delete_user', { user_id: leaver.userId }, owner);
      expect(deleted.code).toBe(0);
      expect(await left()).toBeUndefined();
    });

    test('a node that is no longer heard of has failed its tasks; one that stops says so itself', async () => {
      const { page, mediaId } = await slowItem();
      try {
        const { taskId } = await waitFor(mediaId);
        if (count > 1) {
          // As if the node had died: nobody renews the lease.
          const { database: shared } = on(1).app;
          const expire = 'UPDATE call_task SET lease_until = 0 WHERE id = ?';
          await shared.write(null, (tx) => tx.execute(expire, taskId));
          expect((await get(1, taskId)).result).toMatchObject({ status: 'failed', error: { code: -32603 } });
        } else {
          await nodes[0]!.close();
          nodes[0] = await startServer(options);
        }
        const { result } = await get(2, taskId);
        expect(result).toMatchObject({ status: 'failed', error: { code: -32603 } });
        expect(result.error.message).toContain('call again');
      } finally {
        page.close();
      }
    });
  });
}

describe('who does not know tasks', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ database: 'sqlite', config: { SHEAF_TASK_AFTER: 0 } });
  });
  afterAll(() => server.close());

  test('gets the result itself, in every version', async () => {
    for (const version of ['modern', 'older'] as const) {
      const call = { name: 'manage_import_file', arguments: { title: version, content: csv(100) } };
      const { result } = (await rpc(server, 'tools/call', call, { version })).body;
      expect(result.structuredContent.title).toBe(version);
    }
  });

  test('is told what is missing when it asks for tasks', async () => {
    const requiredCapabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const { status, body } = await rpc(server, method, { taskId: 'task_1' }, taskHeader({ taskId: 'task_1' }));
      expect([method, status, body.error.code]).toEqual([method, 400, -32021]);
      expect(body.error.data).toEqual({ requiredCapabilities });
    }
    const refused = await rpc(server, 'subscriptions/listen', { notifications: { taskIds: ['task_1'] } });
    expect([refused.status, refused.body.error.code]).toEqual([400, -32021]);
  });

  test('headers must name the task; what the extension does not have is not served', async () => {
    const params = { _meta: knowing, taskId: 'task_1' };
    const wrong = await rpc(server, 'tasks/get', params, { headers: { 'mcp-name': 'task_2' } });
    expect([wrong.status, wrong.body.error.code]).toEqual([400, -32020]);
    for (const method of ['tasks/list', 'tasks/result']) {
      const { status, body } = await rpc(server, method, params);
      expect([method, status, body.error.code]).toEqual([method, 404, -32601]);
    }
    const { result } = (await rpc(server, 'server/discover')).body;
    expect(result.capabilities.extensions).toHaveProperty('io.modelcontextprotocol/tasks', {});
    const older = await rpc(server, 'initialize', { protocolVersion: '2025-11-25' }, { version: 'older' });
    expect(older.body.result.capabilities.extensions).not.toHaveProperty('io.modelcontextprotocol/tasks');
  });
});

function taskHeader(params: object): { headers: Record<string, string> } {
  const { taskId } = params as { taskId?: string };
  return { headers: taskId === undefined ? {} : { 'mcp-name': taskId } };
}
