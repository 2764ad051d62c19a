/** [finding Q21] Runs Debian's Caddy and nginx with the files in deploy/, in front of two nodes with one database. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callable, type Callable } from '../../testing/call-client.ts';
import { caddy, findProgram, nginx, type FoundProgram } from '../../testing/debian-program.ts';
import { ownerKey, startNode, type NodeProcess } from '../../testing/node-process.ts';
import { freshPostgres } from '../../testing/postgres.ts';
import { startS3 } from '../../testing/s3.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

const deploy = fileURLToPath(new URL('../../../deploy', import.meta.url));
const megabyte = 2 ** 20;

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

/** Replaces a part of a text. Fails if the text does not contain the part. */
function replace(text: string, part: string | RegExp, by: string): string {
  expect(text).toMatch(part);
  return text.replace(part, by);
}

type StartProxy = (
  program: { command: string; env: NodeJS.ProcessEnv },
  port: number,
  hosts: string[],
) => Promise<ChildProcess>;

const startCaddy: StartProxy = async ({ command, env }, port, hosts) => {
  const folder = await temporaryFolder();
  const file = await readFile(join(deploy, 'Caddyfile'), 'utf8');
  const config = join(folder, 'Caddyfile');
  // Turn off the administration endpoint, because another Caddy on this machine may use its port.
  await writeFile(
    config,
    `{\n\tadmin off\n}\n${replace(file, 'node-a:8787 node-b:8787 node-c:8787', hosts.join(' '))}`,
  );
  return spawn(command, ['run', '--config', config, '--adapter', 'caddyfile'], {
    env: {
      ...env,
      SHEAF_PUBLIC_URL: `http://127.0.0.1:${port}`,
      HOME: folder,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
    },
    stdio: ['ignore', 'ignore', 'ignore'],
  });
};

const startNginx: StartProxy = async ({ command, env }, port, hosts) => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'temporary'));
  let site = await readFile(join(deploy, 'nginx.conf'), 'utf8');
  site = replace(site, 'listen 443 ssl http2;', `listen 127.0.0.1:${port};`);
  site = replace(site, /^ +ssl_certificate.*\n +ssl_certificate_key.*\n/m, '');
  site = replace(site, / +server node-c:8787 .*\n/, '');
  for (const [index, name] of ['node-a:8787', 'node-b:8787'].entries()) site = replace(site, name, hosts[index]!);
  const config = join(folder, 'nginx.conf');
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  await writeFile(
    config,
    [
      ...(process.getuid?.() === 0 ? ['user root;'] : []),
      'daemon off;',
      `pid ${folder}/nginx.pid;`,
      'error_log stderr;',
      'events {}',
      'http {',
      'access_log off;',
      ...kinds.map((kind) => `${kind}_temp_path ${folder}/temporary/${kind};`),
      site,
      '}',
    ].join('\n'),
  );
  return spawn(command, ['-c', config, '-p', folder], { env, stdio: ['ignore', 'ignore', 'ignore'] });
};

let nodes: NodeProcess[];
let folders: string[];
let stopStore: () => Promise<void>;
const proxies: ChildProcess[] = [];

async function startNodes(publicUrl: string): Promise<void> {
  const s3 = await startS3();
  stopStore = () => s3.stop();
  const env = {
    SHEAF_DATABASE_URL: await freshPostgres(),
    SHEAF_PUBLIC_URL: publicUrl,
    SHEAF_TRUSTED_PROXIES: '127.0.0.1',
    SHEAF_S3_ENDPOINT: s3.endpoint,
    SHEAF_S3_BUCKET: s3.bucket,
    SHEAF_S3_REGION: s3.region,
    SHEAF_S3_ACCESS_KEY: s3.accessKey,
    SHEAF_S3_SECRET_KEY: s3.secretKey,
  };
  folders = [await temporaryFolder(), await temporaryFolder()];
  nodes = [];
  for (const folder of folders) nodes.push(await startNode({ folder, env }));
}

/** Sends a call with a wrong key from `localAddress` and with a forged X-Forwarded-For header. */
function guess(url: string, localAddress: string, attempt: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(`${url}/openapi/account/v1/get_me`, {
      method: 'POST',
      localAddress,
      headers: {
        'svc-openapi-clientid': 'x',
        'svc-openapi-apikey': `sk_${attempt}`,
        'x-forwarded-for': `203.0.113.${attempt % 250}`,
      },
    });
    call.once('error', reject);
    call.once('response', (response) => {
      response.resume();
      resolve(response.statusCode!);
    });
    call.end();
  });
}

for (const [name, wanted, start] of [
  ['Caddy', caddy, startCaddy],
  ['nginx', nginx, startNginx],
] as const) {
  describe(`[finding Q21] ${name}`, () => {
    let program: FoundProgram;
    let url: string;
    let client: Callable;
    beforeAll(async () => {
      program = await findProgram(wanted);
      if (program.missing !== undefined) return;
      const port = await freePort();
      url = `http://127.0.0.1:${port}`;
      await startNodes(url);
      proxies.push(
        await start(
          program,
          port,
          nodes.map((node) => new URL(node.url).host),
        ),
      );
      client = callable(url, await ownerKey(folders[0]!));
      for (let attempt = 0; attempt < 100; attempt++) {
        if (
          await fetch(`${url}/readyz`).then(
            ({ ok }) => ok,
            () => false,
          )
        )
          return;
        await sleep(100);
      }
      throw new Error(`${name} did not start`);
    }, 240_000);
    afterAll(async () => {
      if (program.missing !== undefined) return;
      for (const proxy of proxies.splice(0)) {
        const ended = once(proxy, 'exit');
        proxy.kill('SIGTERM');
        await ended;
      }
      for (const node of nodes) await node.stop();
      await stopStore();
    });

    test(
      'passes events on at once, uploads of 50 MB, and the address of the client',
      { timeout: 240_000 },
      async (context) => {
        if (program.missing !== undefined) return context.skip(program.missing);
        const headers = { 'svc-openapi-clientid': client.owner.clientId, 'svc-openapi-apikey': client.owner.apiKey };
        const stopping = new AbortController();
        const events = await fetch(`${url}/openapi/note/v1/events`, { headers, signal: stopping.signal });
        expect([events.status, events.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
        const reader = events.body!.pipeThrough(new TextDecoderStream()).getReader();
        const { data } = await client.call('http', 'note', 'import_doc', { content_format: 1, content: '# Passed on' });
        let told = '';
        const began = performance.now();
        // The next heartbeat comes after ten seconds. An event that arrives earlier was not buffered by the proxy.
        while (!told.includes(data.note_id as string) && performance.now() - began < 8_000)
          told += (await reader.read()).value ?? '';
        expect(told).toContain(data.note_id);
        expect(performance.now() - began).toBeLessThan(8_000);
        stopping.abort();

        const prepared = await client.call('http', 'manage', 'pre_import', { file_name: 'large.csv' });
        const upload = await fetch(prepared.data.upload_url as string, {
          method: 'PUT',
          body: Buffer.alloc(50 * megabyte, 'a,b\n'),
        });
        expect([new URL(prepared.data.upload_url as string).origin, upload.status]).toEqual([url, 200]);

        expect((await fetch(`${url}/metrics`)).status).toBe(404);

        const statuses: number[] = [];
        for (let attempt = 0; attempt < 330 && !statuses.includes(429); attempt++)
          statuses.push(await guess(url, '127.0.0.2', attempt));
        expect(statuses).toContain(429);
        expect(await guess(url, '127.0.0.3', 1)).toBe(401);
      },
    );

    test('leaves out a node that is away', { timeout: 120_000 }, async (context) => {
      if (program.missing !== undefined) return context.skip(program.missing);
      await nodes[1]!.stop();
      const codes: number[] = [];
      for (let attempt = 0; attempt < 40; attempt++)
        codes.push(
          (await client.call('http', 'note', 'import_doc', { content_format: 1, content: `# ${attempt}` })).code,
        );
      expect(codes).toEqual(Array.from({ length: 40 }, () => 0));
      // Requests for documents of the stopped node are routed to the other node.
      const statuses: number[] = [];
      for (let attempt = 0; attempt < 20; attempt++)
        statuses.push((await fetch(`${url}/healthz`, { headers: { 'x-sheaf-file': `file-${attempt}` } })).status);
      expect(statuses).toEqual(Array.from({ length: 20 }, () => 200));
    });
  });
}
