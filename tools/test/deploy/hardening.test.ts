/** [finding Q21] Checks what the unit and compose files permit the server, and which files git and the image omit. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { findProgram, psql } from '../../testing/debian-program.ts';
import { startDedicatedPostgres } from '../../testing/dedicated-postgres.ts';
import { startServer } from '../../testing/test-server.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const deploy = join(root, 'deploy');
const run = promisify(execFile);
const read = (name: string) => readFile(join(deploy, name), 'utf8');

interface Service {
  user?: string;
  read_only?: boolean;
  cap_drop?: string[];
  environment?: Record<string, string>;
  ports?: string[];
}
interface Compose {
  services: Record<string, Service>;
  networks?: { default: { ipam: { config: { subnet: string }[] } } };
}
const compose = async (name: string): Promise<Compose> => parse(await read(name), { merge: true }) as Compose;

test('[finding Q21] systemd rates the exposure of the unit at most 3', async (context) => {
  const { stdout: version } = await run('systemd-analyze', ['--version']).catch(() => ({ stdout: '' }));
  // Older versions have no option --offline.
  if (Number(/^systemd (\d+)/.exec(version)?.[1] ?? 0) < 250)
    return context.skip('systemd-analyze 250 is not installed');
  const { stdout } = await run('systemd-analyze', ['security', '--offline=true', join(deploy, 'sheaf.service')]);
  expect(Number(/Overall exposure level for sheaf\.service: ([\d.]+)/.exec(stdout)![1])).toBeLessThanOrEqual(3);
  const words = await read('sheaf.service');
  // V8 cannot run with MemoryDenyWriteExecute, because it compiles at run time.
  expect(words).not.toMatch(/^MemoryDenyWriteExecute=(true|yes)/m);
  expect(words).toMatch(/^User=sheaf$/m);
});

test('[finding Q21] files with passwords stay out of the image and out of git', async () => {
  const ignored = (await readFile(join(root, '.dockerignore'), 'utf8')).split('\n');
  expect(ignored).toEqual(expect.arrayContaining(['**/.env', '**/.env.*', '**/credentials.json', 'data']));
  const unversioned = (await readFile(join(root, '.gitignore'), 'utf8')).split('\n');
  expect(unversioned).toEqual(expect.arrayContaining(['.env', '.env.*']));
});

test('[finding Q21] the nodes are given no administrator’s password, and trust the network they are in', async () => {
  const { services, networks } = await compose('compose-cluster.yaml');
  const administrators = /POSTGRES_PASSWORD|MINIO_ROOT_PASSWORD/;
  for (const name of ['node-a', 'node-b', 'node-c']) {
    const { environment = {}, ports, read_only: isReadOnly, cap_drop: dropped } = services[name]!;
    expect(JSON.stringify(environment)).not.toMatch(administrators);
    expect(environment['SHEAF_DATABASE_URL']).toContain('${DATABASE_PASSWORD:?');
    expect(environment['SHEAF_S3_ACCESS_KEY']).not.toBe(services['store']!.environment!['MINIO_ROOT_USER']);
    expect(environment['SHEAF_TRUSTED_PROXIES']).toBe(networks!.default.ipam.config[0]!.subnet);
    expect(environment['SHEAF_TRUSTED_PROXIES']).toBe('${CLUSTER_RANGE:-172.31.87.0/24}');
    // The node publishes no ports, so that only the proxy can send it X-Forwarded-For from a trusted address.
    expect([ports, isReadOnly, dropped]).toEqual([undefined, true, ['ALL']]);
  }
  for (const name of ['database', 'store', 'bucket']) expect(services[name]!.ports).toBeUndefined();
  expect(services['database']!.environment).not.toHaveProperty('POSTGRES_USER');
});

test(
  '[finding Q21] the account of the nodes owns its database and nothing else, and a server runs by it',
  { timeout: 240_000 },
  async (context) => {
    const found = await findProgram(psql);
    if (found.missing !== undefined) return context.skip(found.missing);
    const server = await startDedicatedPostgres();
    onTestFinished(() => server.end());
    const { port } = new URL(server.url);
    const query = async (url: string, ...statements: string[]) => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      try {
        let rows: unknown[] = [];
        for (const statement of statements) rows = (await client.query(statement)).rows;
        return rows;
      } finally {
        await client.end();
      }
    };
    const administrator = `postgres://postgres@127.0.0.1:${port}/postgres`;
    await query(server.url, 'CREATE ROLE postgres SUPERUSER LOGIN');
    await query(administrator, 'ALTER ROLE sheaf RENAME TO unused');
    await run(join(deploy, 'cluster', 'create-database.sh'), {
      env: {
        ...found.env,
        PATH: `${join(found.command, '..')}:${process.env['PATH']}`,
        PGHOST: '127.0.0.1',
        PGPORT: port,
        DATABASE_PASSWORD: "it's",
      },
    });
    const own = `postgres://sheaf@127.0.0.1:${port}/sheaf`;
    expect(
      await query(
        own,
        'SELECT rolsuper, rolcreatedb, rolcreaterole, rolreplication FROM pg_roles WHERE rolname = current_user',
      ),
    ).toEqual([{ rolsuper: false, rolcreatedb: false, rolcreaterole: false, rolreplication: false }]);
    const node = await startServer({ database: 'postgres', databaseUrl: own });
    onTestFinished(() => node.close());
    expect(await node.call('http', 'note', 'import_doc', { content_format: 1, content: '# Hi' })).toMatchObject({
      code: 0,
    });
  },
);
