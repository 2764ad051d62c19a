/**
 * The database is put back under three nodes that serve: a standby without the last edits is promoted, or the server's data
 * folder of an earlier moment restored. Short in the suite; `npm run drill -- standby` writes more before it happens.
 */
import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { checkInvariants } from '../../src/adapters/doctor/integrity.ts';
import { openPostgres } from '../../src/adapters/sql/postgres/database.ts';
import { callable, type Answer, type Callable } from '@sheaf/tools/testing/call-client.ts';
import { NetworkLink } from '@sheaf/tools/testing/network-link.ts';
import { ownerKey, startNode, type NodeProcess } from '@sheaf/tools/testing/node-process.ts';
import {
  startDedicatedPostgres,
  startStandby,
  type DedicatedPostgres,
} from '@sheaf/tools/testing/dedicated-postgres.ts';
import { startS3 } from '@sheaf/tools/testing/s3.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';

/** Edits of one document that are lost: past 200, as in the drill, a node wants to store a snapshot of them. */
const edits = Number(process.env['SHEAF_STANDBY_EDITS'] ?? 30);
const reopenedMs = 5_000;

interface Cluster {
  readonly nodes: readonly NodeProcess[];
  readonly callers: readonly Callable[];
}

async function startCluster(databaseUrl: string): Promise<Cluster> {
  const store = await startS3();
  onTestFinished(() => store.stop());
  const env = {
    SHEAF_DATABASE_URL: databaseUrl,
    SHEAF_DATABASE_CONNECTIONS: '6',
    SHEAF_S3_ENDPOINT: store.endpoint,
    SHEAF_S3_BUCKET: store.bucket,
    SHEAF_S3_REGION: store.region,
    SHEAF_S3_ACCESS_KEY: store.accessKey,
    SHEAF_S3_SECRET_KEY: store.secretKey,
  };
  const folder = await temporaryFolder();
  const nodes = [await startNode({ folder, env })];
  for (let more = 0; more < 2; more++) nodes.push(await startNode({ folder: await temporaryFolder(), env }));
  onTestFinished(async () => {
    for (const node of nodes) await node.stop();
  });
  const owner = await ownerKey(folder);
  return { nodes, callers: nodes.map(({ url }) => callable(url, owner)) };
}

async function ask<Row>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as Row[];
  } finally {
    await client.end();
  }
}

async function ok(answer: Promise<Answer>): Promise<any> {
  const { code, msg, data } = await answer;
  if (code !== 0) throw new Error(`${code} ${msg}`);
  return data;
}

interface Told {
  version: number;
  reset?: boolean;
}

async function* messages(response: Response): AsyncIterable<Told> {
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += new TextDecoder().decode(chunk as Uint8Array);
    const parts = text.split('\n\n');
    text = parts.pop()!;
    for (const part of parts) if (part.startsWith('data: ')) yield JSON.parse(part.slice(6)) as Told;
  }
}

/** One spreadsheet and a few notes, read and written by way of every node, and what each node says of them. */
class Work {
  readonly #callers: readonly Callable[];
  readonly #file: { file_id: string; sheet_id: string };
  /** What streams of events have said, by node. */
  readonly heard: Told[][] = [];

  private constructor(callers: readonly Callable[], file: { file_id: string; sheet_id: string }) {
    this.#callers = callers;
    this.#file = file;
  }

  static async begin(callers: readonly Callable[]): Promise<Work> {
    const file = await ok(callers[0]!.call('http', 'manage', 'create_file', { title: 'Shared' }));
    return new Work(callers, file as { file_id: string; sheet_id: string });
  }

  async set(node: number, row: number, text: string): Promise<void> {
    const cell = { row, col: 0, value_type: 'STRING', string_value: text };
    const input = { file_id: this.#file.file_id, sheet_id: this.#file.sheet_id, cell };
    await ok(this.#callers[node]!.call('http', 'sheet', 'set_cell_value', input));
  }

  async cells(node: number): Promise<string[]> {
    const range = { start_row: 0, start_col: 0, end_row: edits + 50, end_col: 0, return_csv: true };
    const input = { file_id: this.#file.file_id, sheet_id: this.#file.sheet_id, ...range };
    const { csv_data: csv } = await ok(this.#callers[node]!.call('http', 'sheet', 'get_cell_data', input));
    return (csv as string).split('\n').filter((line) => line !== '');
  }

  async note(node: number, text: string): Promise<string> {
    const input = { content_format: 1, content: text };
    return (await ok(this.#callers[node]!.call('http', 'note', 'import_doc', input))).note_id as string;
  }

  async found(node: number, word: string): Promise<number> {
    const input = { search_type: 1, query_info: { content: word }, start: 0, end: 20 };
    const { search_note_infos: hits } = await ok(this.#callers[node]!.call('http', 'note', 'search_note', input));
    return (hits as unknown[]).length;
  }

  /** As a browser does: a stream that ended is opened again, and begins with where things stand. */
  async listen(): Promise<void> {
    const control = new AbortController();
    onTestFinished(() => control.abort());
    const { signal } = control;
    for (const { url, owner } of this.#callers) {
      const heard: Told[] = [];
      this.heard.push(heard);
      const connect = async (isAgain: boolean): Promise<void> => {
        const address = `${url}/openapi/sheet/v1/events?file_id=${this.#file.file_id}`;
        const response = await fetch(address, { headers: { authorization: owner.apiKey }, signal });
        let isFirst = isAgain;
        for await (const told of messages(response)) {
          heard.push(isFirst ? { ...told, reset: true } : told);
          isFirst = false;
        }
      };
      const follow = async (): Promise<void> => {
        for (let isAgain = false; !signal.aborted; isAgain = true) {
          await connect(isAgain).catch(() => undefined);
          await sleep(200);
        }
      };
      follow().catch(() => undefined);
      await expect.poll(() => heard.length, { timeout: 20_000 }).toBeGreaterThan(0);
    }
  }

  /** Kept first, by every node; then what is about to be lost, by all of them, enough of it for a snapshot. */
  async keep(): Promise<void> {
    for (const node of [0, 1, 2]) await this.set(node, node, `kept ${node}`);
    await this.note(0, 'a keptword stays');
    await expect.poll(() => this.found(1, 'keptword'), { timeout: 20_000 }).toBe(1);
  }

  async lose(): Promise<void> {
    for (let edit = 0; edit < edits; edit++) await this.set(edit % 10 === 0 ? 1 : 0, 3 + edit, `lost ${edit}`);
    await this.note(1, 'a lostword goes');
    for (const node of [0, 1, 2]) {
      expect((await this.cells(node)).length).toBe(3 + edits);
      await expect.poll(() => this.found(node, 'lostword'), { timeout: 20_000 }).toBe(1);
    }
  }

  /** From here on until told to stop: readers that report lost cells, by when they were read. */
  watch(): { stop(): Promise<{ at: number; lost: number }[]> } {
    const seen: { at: number; lost: number }[] = [];
    let isOver = false;
    const readers = [0, 1, 2].map(async (node) => {
      while (!isOver) {
        const at = performance.now();
        const cells = await this.cells(node).catch(() => undefined);
        if (cells) seen.push({ at, lost: cells.filter((text) => text.startsWith('lost')).length });
        await sleep(20);
      }
    });
    return {
      async stop() {
        isOver = true;
        await Promise.all(readers);
        return seen;
      },
    };
  }

  /** Every node has the document as the database has it, takes edits, and finds no note that is gone. */
  async agree(): Promise<void> {
    const kept = ['kept 0', 'kept 1', 'kept 2'];
    for (const node of [0, 1, 2]) await this.set(node, 3 + node, `new ${node}`);
    for (const node of [0, 1, 2]) {
      expect(await this.cells(node)).toEqual([...kept, 'new 0', 'new 1', 'new 2']);
      expect([await this.found(node, 'lostword'), await this.found(node, 'keptword')]).toEqual([0, 1]);
    }
    await this.note(2, 'a newword comes');
    for (const node of [0, 1, 2]) await expect.poll(() => this.found(node, 'newword'), { timeout: 10_000 }).toBe(1);
    const input = { file_id: this.#file.file_id };
    expect(await ok(this.#callers[0]!.call('http', 'sheet', 'validate_file_data', input))).toMatchObject({
      is_valid: true,
      checked_version: 7,
    });
    // Streams were told that the document went back, and hear of what came since.
    for (const heard of this.heard) {
      await expect.poll(() => heard.some(({ reset }) => reset === true), { timeout: 15_000 }).toBe(true);
      const version = heard.filter(({ reset }) => reset === true).at(-1)!.version;
      expect(version).toBeLessThanOrEqual(7);
      expect(heard.at(-1)!.version).toBeLessThanOrEqual(7);
    }
  }

  /** Waits until nodes have had the time to store a snapshot of what they held. */
  async noSnapshotAhead(url: string): Promise<void> {
    await sleep(3_000);
    const database = await openPostgres(url, { connections: 1 });
    try {
      expect(await checkInvariants(database)).toMatchObject([{ check: 'integrity', state: 'ok' }]);
      await database.write(null, (tx) =>
        tx.execute(
          "INSERT INTO document_snapshot (document_id, version, blob_key, size, sha256) VALUES (?, 99, 'sheets/x/99', 1, 'x')",
          this.#file.file_id,
        ),
      );
      expect(await checkInvariants(database)).toMatchObject([
        { state: 'failure', says: expect.stringContaining(this.#file.file_id) },
      ]);
    } finally {
      await database.close();
    }
  }
}

/** Watches and waits: 5 s after the database is back, nobody may have been shown a cell that is gone. */
async function afterwards(work: Work, happen: () => Promise<void>): Promise<void> {
  const watching = work.watch();
  await sleep(200);
  await happen();
  const back = performance.now();
  await expect
    .poll(
      () =>
        Promise.all(
          [0, 1, 2].map((node) =>
            work.cells(node).then(
              (cells) => cells.length,
              () => -1,
            ),
          ),
        ),
      {
        timeout: 60_000,
        interval: 100,
      },
    )
    .toEqual([3, 3, 3]);
  await sleep(Math.max(0, back + reopenedMs - performance.now()) + 1_000);
  const seen = await watching.stop();
  expect(seen.filter(({ at, lost }) => at > back + reopenedMs && lost > 0)).toEqual([]);
  expect(seen.some(({ at }) => at > back + reopenedMs)).toBe(true);
}

async function caughtUp(primary: DedicatedPostgres, standby: DedicatedPostgres): Promise<void> {
  const [row] = await ask<{ at: string }>(primary.url, 'SELECT pg_current_wal_lsn()::text AS at');
  const isThere = `SELECT pg_last_wal_replay_lsn() >= '${row!.at}'::pg_lsn AS is_there`;
  await expect
    .poll(async () => (await ask<{ is_there: boolean }>(standby.url, isThere))[0]?.is_there, { timeout: 60_000 })
    .toBe(true);
}

test(
  '[finding Q12] a standby without the last edits is promoted: documents, search and events follow it, and edits go on',
  { timeout: 300_000 },
  async () => {
    const primary = await startDedicatedPostgres();
    onTestFinished(() => primary.end());
    const standby = await startStandby(primary);
    onTestFinished(() => standby.end());
    const link = await NetworkLink.to(primary.url);
    onTestFinished(() => link.close());
    const { nodes, callers } = await startCluster(link.through(primary.url));
    const work = await Work.begin(callers);
    await work.keep();
    await work.listen();
    await caughtUp(primary, standby);
    await ask(standby.url, "ALTER SYSTEM SET primary_conninfo = ''");
    await ask(standby.url, 'SELECT pg_reload_conf()');
    await expect
      .poll(async () => (await ask(standby.url, 'SELECT 1 FROM pg_stat_wal_receiver')).length, { timeout: 30_000 })
      .toBe(0);
    await work.lose();
    await afterwards(work, async () => {
      await primary.crash();
      link.aim(standby.url);
      await ask(standby.url, 'SELECT pg_promote(true, 60)');
    });
    await work.agree();
    await work.noSnapshotAhead(standby.url);
    expect(nodes.map((node) => [node.isAlive(), node.log().includes('the database was put back')])).toEqual(
      nodes.map(() => [true, true]),
    );
  },
);

test(
  '[finding Q12] an earlier state of the database is restored under running nodes, at the same place and on the same timeline',
  { timeout: 300_000 },
  async () => {
    const server = await startDedicatedPostgres();
    onTestFinished(() => server.end());
    const { nodes, callers } = await startCluster(server.url);
    const work = await Work.begin(callers);
    await work.keep();
    await work.listen();
    await server.goAway();
    execFileSync('cp', ['-a', server.data, `${server.data}.before`]);
    await server.comeBack();
    await expect
      .poll(
        () =>
          work.cells(0).then(
            () => true,
            () => false,
          ),
        { timeout: 60_000 },
      )
      .toBe(true);
    await work.lose();
    await afterwards(work, async () => {
      await server.goAway();
      execFileSync('rm', ['-rf', server.data]);
      execFileSync('mv', [`${server.data}.before`, server.data]);
      await server.comeBack();
    });
    await work.agree();
    await work.noSnapshotAhead(server.url);
    expect(nodes.map((node) => [node.isAlive(), node.log().includes('the database was put back')])).toEqual(
      nodes.map(() => [true, true]),
    );
  },
);
