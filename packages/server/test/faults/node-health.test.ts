import { expect, onTestFinished, test } from 'vitest';
import { openPostgres } from '../../src/adapters/sql/postgres/database.ts';
import { call, type RawAnswer } from '@sheaf/client';
import { NetworkLink } from '@sheaf/tools/testing/network-link.ts';
import { ownerKey, startNode, type NodeProcess } from '@sheaf/tools/testing/node-process.ts';
import { startDedicatedPostgres } from '@sheaf/tools/testing/dedicated-postgres.ts';
import { startS3 } from '@sheaf/tools/testing/s3.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';

const patience = { timeout: 60_000, interval: 200 };

/** What is told without a key, within the time that a proxy or Prometheus waits. */
async function told(node: NodeProcess, path: string): Promise<{ status: number; type: string; text: string }> {
  const response = await fetch(node.url + path, { signal: AbortSignal.timeout(9_000) });
  return {
    status: response.status,
    type: response.headers.get('content-type') ?? '',
    text: await response.text(),
  };
}

async function gauge(node: NodeProcess, name: string): Promise<number | undefined> {
  const { status, type, text } = await told(node, '/metrics');
  expect([status, type]).toEqual([200, expect.stringMatching(/^text\/plain; version=0\.0\.4/)]);
  expect(text).toContain('process_cpu_seconds_total');
  const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1];
  return value === undefined ? undefined : Number(value);
}

async function importDoc(node: NodeProcess, folder: string): Promise<RawAnswer> {
  const { clientId, apiKey } = await ownerKey(folder);
  const input = { content_format: 1, content: '# Still here' };
  return call({ url: node.url, clientId, apiKey }, 'note', 'import_doc', input);
}

test(
  '[finding Q14] a node without its object store serves, stays with its proxy, and warns',
  { timeout: 300_000 },
  async () => {
    const s3 = await startS3();
    onTestFinished(() => s3.stop());
    const link = await NetworkLink.to(s3.endpoint);
    onTestFinished(() => link.close());
    const folder = await temporaryFolder();
    const node = await startNode({
      folder,
      env: {
        SHEAF_S3_ENDPOINT: link.through(s3.endpoint),
        SHEAF_S3_BUCKET: s3.bucket,
        SHEAF_S3_REGION: s3.region,
        SHEAF_S3_ACCESS_KEY: s3.accessKey,
        SHEAF_S3_SECRET_KEY: s3.secretKey,
      },
    });
    onTestFinished(async () => void (await node.stop()));
    expect(await told(node, '/readyz')).toMatchObject({ status: 200, text: 'ready\n' });
    expect(await gauge(node, 'sheaf_store_up')).toBe(1);
    for (const outage of ['cut', 'silent'] as const) {
      link.fail(outage);
      await expect
        .poll(() => told(node, '/readyz'), patience)
        .toMatchObject({ status: 200, text: 'ready\nwarning: the object store is not responding\n' });
      expect(await gauge(node, 'sheaf_store_up')).toBe(0);
      expect(await importDoc(node, folder)).toMatchObject({ code: 0 });
      link.mend();
      await expect.poll(() => told(node, '/readyz'), patience).toMatchObject({ status: 200, text: 'ready\n' });
      await expect.poll(() => gauge(node, 'sheaf_store_up'), patience).toBe(1);
    }
  },
);

test(
  '[finding Q15] [finding Q18] /metrics always answers, and a database that takes no writes is named everywhere',
  { timeout: 300_000 },
  async () => {
    const postgres = await startDedicatedPostgres();
    onTestFinished(() => postgres.end());
    const link = await NetworkLink.to(postgres.url);
    onTestFinished(() => link.close());
    const folder = await temporaryFolder();
    const node = await startNode({ folder, env: { SHEAF_DATABASE_URL: link.through(postgres.url) } });
    onTestFinished(async () => void (await node.stop()));
    // Nobody else asks: what waits would be the reading itself.
    for (let reading = 0; reading < 3; reading++) expect(await gauge(node, 'sheaf_database_waiting')).toBe(0);
    expect(await gauge(node, 'sheaf_database_up')).toBe(1);
    for (const outage of ['cut', 'silent'] as const) {
      link.fail(outage);
      await expect.poll(() => gauge(node, 'sheaf_database_up'), patience).toBe(0);
      expect(await told(node, '/readyz')).toMatchObject({ status: 503, text: 'the database is not responding\n' });
      link.mend();
      if (outage === 'silent') link.breakConnections();
      await expect.poll(() => gauge(node, 'sheaf_database_up'), patience).toBe(1);
      await expect.poll(() => told(node, '/readyz'), patience).toMatchObject({ status: 200, text: 'ready\n' });
    }

    const direct = await openPostgres(postgres.url);
    onTestFinished(() => direct.close());
    const setReadOnly = async (value: 'on' | 'off'): Promise<void> => {
      await direct.pool.query(`ALTER DATABASE postgres SET default_transaction_read_only = ${value}`);
      link.breakConnections();
    };
    await setReadOnly('on');
    const refusal = 'the database is read-only (a standby, or set so)';
    await expect
      .poll(async () => (await importDoc(node, folder)).msg, patience)
      .toBe(`nothing can be written: ${refusal}; try again later`);
    expect(await told(node, '/readyz')).toMatchObject({
      status: 200,
      text: `ready\nwarning: nothing can be written: ${refusal}\n`,
    });
    expect(await gauge(node, 'sheaf_database_writable')).toBe(0);
    expect(node.log()).toContain(refusal);
    await direct.pool.query('SET default_transaction_read_only = off');
    await setReadOnly('off');
    await expect.poll(async () => (await importDoc(node, folder)).code, patience).toBe(0);
    expect(await told(node, '/readyz')).toMatchObject({ status: 200, text: 'ready\n' });
    expect(await gauge(node, 'sheaf_database_writable')).toBe(1);
  },
);
