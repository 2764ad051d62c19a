/**
 * [finding Q11] Tests the files in deploy/: runs the image's build steps in a normal folder, and checks that the
 * settings and metrics that the files name exist.
 */
import { execFile, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { configHelp } from '@sheaf/server/config.ts';
import { pack } from '../package/packed.ts';
import { startServer } from '../../testing/test-server.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const run = promisify(execFile);
const read = (name: string) => readFile(join(root, 'deploy', name), 'utf8');
const patience = 600_000;

describe('[finding Q11] the image', () => {
  let dockerfile: string;
  let folder: string;
  beforeAll(async () => {
    dockerfile = await read('image/Dockerfile');
    folder = join(await temporaryFolder(), 'opt');
    const { tarball } = await pack();
    await run(join(root, 'deploy', 'image', 'install.sh'), [tarball, folder], { maxBuffer: 2 ** 26 });
  }, patience);

  /** Returns the words of a Dockerfile instruction in exec form, a JSON array. */
  const words = (instruction: RegExp): string[] => JSON.parse(instruction.exec(dockerfile)![1]!) as string[];

  test('is made of the last stage alone, runs as nobody special, and stops by a signal', () => {
    const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
    expect(last).not.toMatch(/npm (ci|install)/);
    expect(last).toMatch(/^USER node$/m);
    expect(last).toMatch(/^STOPSIGNAL SIGTERM$/m);
    expect(last.indexOf('USER node')).toBeLessThan(last.indexOf('ENTRYPOINT'));
  });

  test(
    'what its steps install serves, is healthy while it does, and stops cleanly',
    { timeout: patience },
    async () => {
      const entrypoint = words(/^ENTRYPOINT (\[.*\])$/m).map((word) => word.replace(/^\/opt\/sheaf\//, `${folder}/`));
      const health = words(/CMD (\["node", "-e".*\])$/m);
      const [serve] = words(/^CMD (\["serve"\])$/m);
      const settings = /^ENV (.*)$/m
        .exec(dockerfile)![1]!
        .split(' ')
        .map((pair) => pair.split('=') as [string, string]);
      const env: Record<string, string | undefined> = {
        ...Object.fromEntries(settings),
        PATH: process.env['PATH'],
        SHEAF_HOST: '127.0.0.1',
        SHEAF_PORT: '0',
        SHEAF_DATA: await temporaryFolder(),
      };
      const child = spawn(process.execPath, [...entrypoint.slice(1), serve!], {
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      onTestFinished(() => void child.kill('SIGKILL'));
      const port = await new Promise<string>((resolve, reject) => {
        let output = '';
        child.stdout.on('data', (chunk: Buffer) => {
          output += chunk.toString();
          const found = /ready at http:\/\/127\.0\.0\.1:(\d+)/.exec(output);
          if (found) resolve(found[1]!);
        });
        child.once('exit', (code) => reject(new Error(`ended with ${code}`)));
      });
      const healthy = (at: string) =>
        run(process.execPath, health.slice(1), { env: { ...env, SHEAF_PORT: at } }).then(
          () => true,
          () => false,
        );
      expect(await healthy(port)).toBe(true);
      expect(await healthy('1')).toBe(false);
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      expect(await ended).toBe(0);
    },
  );

  test('the unit starts the same file', async () => {
    const [, program] = words(/^ENTRYPOINT (\[.*\])$/m);
    expect(await read('sheaf.service')).toContain(`node ${program} serve`);
  });
});

describe('[finding Q11] names', () => {
  test('every setting in the files is one that the server knows', async () => {
    const known = configHelp().match(/\bSHEAF_[A-Z0-9_]+/g)!;
    for (const name of [
      'image/Dockerfile',
      'compose.yaml',
      'compose-cluster.yaml',
      'sheaf.service',
      'Caddyfile',
      'nginx.conf',
    ]) {
      const used = [...(await read(name)).matchAll(/\bSHEAF_[A-Z0-9_]+/g)].map(([setting]) => setting);
      expect(used.filter((setting) => !known.includes(setting))).toEqual([]);
    }
  });

  test('every image has a version', async () => {
    const images = [...(await read('compose-cluster.yaml')).matchAll(/^ +image: (\S+)$/gm)].map(([, image]) => image!);
    expect(images.length).toBe(4);
    for (const image of images) expect(image).toMatch(/:(?!latest$)[\w.-]+$/);
    for (const [, image] of (await read('image/Dockerfile')).matchAll(/^FROM (?:--platform=\S+ )?(\S+)/gm))
      expect(image).toMatch(/^node:22-[a-z]+-slim$/);
  });

  test('every metric of the alerts and the dashboard is in /metrics', { timeout: patience }, async () => {
    const server = await startServer({
      database: 'postgres',
      blobs: 's3',
      config: { SHEAF_PUBLIC_URL: 'https://127.0.0.1:1' },
    });
    onTestFinished(() => server.close());
    await server.call('http', 'account', 'get_me', {});
    const told = await (await fetch(`${server.url}/metrics`)).text();
    const known = new Set([...told.matchAll(/^(\w+)(?:\{| )/gm)].map(([, name]) => name));
    const dashboard = JSON.parse(await read('dashboard.json')) as { panels: { targets: { expr: string }[] }[] };
    const alerts = parse(await read('alerts.yml')) as { groups: { rules: { expr: string }[] }[] };
    const expressions = [
      ...alerts.groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
      ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ];
    expect(expressions.length).toBeGreaterThan(20);
    const used = expressions.flatMap((expr) => expr.match(/\b(sheaf|process|nodejs)_\w+/g) ?? []);
    expect([...new Set(used)].filter((name) => !known.has(name))).toEqual([]);
  });
});
