/** [finding Q21] Gauges that the alerts of deploy/alerts.yml need beside those of the database. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { newestBackup, recordBackup } from '../../src/adapters/backup/last-backup.ts';
import { certificateGauge } from '../../src/app/certificate-gauge.ts';
import { eachServer, type TestServer } from '@sheaf/tools/testing/test-server.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';

const run = promisify(execFile);

async function gauge(server: TestServer, name: string): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

eachServer('[finding Q21] gauges', (server) => {
  test('readiness, free disk and the size of the disk', async () => {
    expect(await gauge(server(), 'sheaf_ready')).toBe(1);
    const free = await gauge(server(), 'sheaf_disk_free_bytes');
    expect(free).toBeGreaterThan(0);
    expect(await gauge(server(), 'sheaf_disk_bytes')).toBeGreaterThan(free);
  });

  test('the newest backup, 0 before the first', async () => {
    const { database } = server().app;
    expect(await gauge(server(), 'sheaf_last_backup_seconds')).toBe(0);
    await recordBackup(database, 1_700_000_000_000);
    await recordBackup(database, 1_700_000_500_000);
    expect(await newestBackup(database)).toBe(1_700_000_500_000);
    expect(await gauge(server(), 'sheaf_last_backup_seconds')).toBe(1_700_000_500);
  });

  test('there is none of a certificate without HTTPS', async () => {
    expect(await (await fetch(`${server().url}/metrics`)).text()).not.toContain('sheaf_certificate_expiry_seconds');
  });
});

test('[finding Q21] the end of the certificate of the public address, also of one that nobody trusts', async () => {
  const folder = await temporaryFolder();
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const words = [
    'req -x509 -newkey rsa:2048 -nodes -subj /CN=localhost -days 3'.split(' '),
    ['-keyout', key, '-out', certificate],
  ].flat();
  await run('openssl', words);
  const server = createServer({ key: await readFile(key), cert: await readFile(certificate) }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const [source] = certificateGauge(`https://127.0.0.1:${port}`);
  const ends = await (source as { query(): Promise<number> }).query();
  expect(Math.abs(ends - (Date.now() / 1000 + 3 * 86_400))).toBeLessThan(600);
  expect(certificateGauge('http://localhost')).toEqual([]);
  expect(certificateGauge(undefined)).toEqual([]);
});
