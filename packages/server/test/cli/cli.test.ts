import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';

const script = fileURLToPath(new URL('../../../../tools/sheaf.mjs', import.meta.url));
const run = promisify(execFile);

let folder: string;
let url: string;
let stop: () => Promise<number | null>;
let firstOutput = '';

function start(data: string, extra: Record<string, string> = {}) {
  const child = spawn(process.execPath, [script, 'serve'], {
    env: { ...process.env, SHEAF_DATA: data, SHEAF_PORT: '0', SHEAF_LOG_LEVEL: 'error', ...extra },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const found = /^sheaf is ready at (http:\/\/\S+)$/m.exec(output);
      if (found) resolve(found[1]!);
    });
    child.on('exit', (code) => reject(new Error(`ended with ${code}: ${output}`)));
  });
  return {
    ready,
    output: () => output,
    async stop() {
      child.removeAllListeners('exit');
      child.kill('SIGTERM');
      const [code] = (await once(child, 'exit')) as [number | null];
      return code;
    },
  };
}

const sheaf = (args: string[], env: Record<string, string> = {}) =>
  run(process.execPath, [script, ...args], { env: { ...process.env, SHEAF_DATA: folder, SHEAF_URL: url, ...env } });

const failure = (args: string[], env: Record<string, string> = {}) =>
  sheaf(args, env).then(
    () => ({ code: 0, stderr: '' }),
    (error: { code: number; stderr: string }) => error,
  );

beforeAll(async () => {
  folder = await temporaryFolder();
  const server = start(folder);
  url = await server.ready;
  firstOutput = server.output();
  stop = server.stop;
});
afterAll(async () => {
  expect(await stop()).toBe(0);
});

describe('sheaf serve', () => {
  test('the first start prints a sign-in link and writes credentials only the owner can read', async () => {
    expect(firstOutput).toMatch(/\/sign-in\?token=in_\w+/);
    const path = join(folder, 'credentials.json');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(Object.keys(JSON.parse(await readFile(path, 'utf8')) as object).sort()).toEqual([
      'api_key',
      'client_id',
      'url',
      'user_id',
    ]);
  });

  test('a second start keeps the account and prints no link; a stop is clean', async () => {
    const data = await temporaryFolder();
    const first = start(data);
    await first.ready;
    expect(await first.stop()).toBe(0);
    const second = start(data);
    await second.ready;
    expect(second.output()).not.toContain('sign-in');
    expect(await second.stop()).toBe(0);
  });

  test('nobody else on the machine can read the data', async () => {
    const data = join(await temporaryFolder(), 'new');
    const server = start(data);
    await server.ready;
    expect((await stat(data)).mode & 0o777).toBe(0o700);
    for (const name of ['sheaf.db', 'sheaf.db-wal', 'credentials.json'])
      expect([name, (await stat(join(data, name))).mode & 0o777]).toEqual([name, 0o600]);
    await server.stop();
  });

  test('a second server on the same folder is refused; the address in credentials.json follows the server', async () => {
    const data = await temporaryFolder();
    const first = start(data);
    const firstUrl = await first.ready;
    const address = async () =>
      (JSON.parse(await readFile(join(data, 'credentials.json'), 'utf8')) as { url: string }).url;
    expect(await address()).toBe(firstUrl);
    const refused = await failure(['serve'], { SHEAF_DATA: data, SHEAF_PORT: '0' });
    expect(refused).toMatchObject({
      code: 1,
      stderr: `sheaf: cannot start: another sheaf server is using ${data}; stop it first, or set SHEAF_DATA to a different folder\n`,
    });
    await first.stop();
    const second = start(data);
    expect(await address().then(async () => second.ready)).not.toBe(firstUrl);
    await expect.poll(address).toBe(await second.ready);
    await second.stop();
  });

  test('started by npm, it stops when npm is gone, although no signal reaches it', async () => {
    const shell = spawn('/bin/sh', ['-c', `"${process.execPath}" "${script}" serve; true`], {
      env: { ...process.env, SHEAF_DATA: await temporaryFolder(), SHEAF_PORT: '0', npm_lifecycle_event: 'start' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let output = '';
    shell.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await expect.poll(() => output, { timeout: 20_000 }).toContain('sheaf is ready at ');
    const address = /ready at (\S+)/.exec(output)![1]!;
    shell.kill('SIGKILL');
    await expect
      .poll(
        () =>
          fetch(`${address}/healthz`).then(
            (response) => response.status,
            () => 'gone',
          ),
        { timeout: 20_000 },
      )
      .toBe('gone');
  });

  test('a bad setting stops the start with one clear line', async () => {
    const failed = await run(process.execPath, [script, 'serve'], { env: { ...process.env, SHEAF_PORT: 'abc' } }).catch(
      (error: { code: number; stderr: string }) => error,
    );
    expect(failed).toMatchObject({ code: 2 });
    expect((failed as { stderr: string }).stderr).toBe(
      'sheaf: SHEAF_PORT: must be a whole number from 0 to 65535 (got "abc")\n',
    );
  });

  test.each([
    [
      'admin list-users',
      { SHEAF_PORT: 'abc' },
      2,
      'sheaf: SHEAF_PORT: must be a whole number from 0 to 65535 (got "abc")\n',
    ],
    [
      'serve',
      { SHEAF_DATABASE_URL: 'mysql://ada:secret@db/x' },
      2,
      'sheaf: SHEAF_DATABASE_URL: must start with postgres:// (got "mysql://***@db/x")\n',
    ],
    [
      'serve',
      { SHEAF_PUBLIC_URL: 'sheaf.example' },
      2,
      'sheaf: SHEAF_PUBLIC_URL: must be an address starting with http:// or https:// (got "sheaf.example")\n',
    ],
    [
      'admin list-users',
      { SHEAF_DATABASE_URL: 'postgres://ada:secret@127.0.0.1:1/x' },
      1,
      'sheaf: the database cannot answer now: connect ECONNREFUSED 127.0.0.1:1\n',
    ],
    [
      'serve --port 1',
      {},
      2,
      'sheaf: serve takes no arguments (got --port 1): settings are environment variables, see "sheaf help config"\n',
    ],
    [
      'mcp sheet',
      {},
      2,
      'sheaf: sheet: pass tools=core, tools=all, modules=LIST, names=dotted, confirm=never or links=never; see "sheaf help mcp"\n',
    ],
    [
      'admin suspend grace too',
      {},
      2,
      'sheaf: there are too many arguments after "grace"\nusage: sheaf admin suspend USER\n',
    ],
    [
      'admin create-user grace hunter22',
      {},
      2,
      'sheaf: there are too many arguments after "grace"\nusage: sheaf admin create-user NAME [--password]\n',
    ],
  ])('%s with %o: one line without a stack or a secret', async (words, env, code, stderr) => {
    expect(await failure(words.split(' '), env as Record<string, string>)).toMatchObject({ code, stderr });
  });

  test('what looks into a folder where nothing is leaves nothing there', async () => {
    const empty = await temporaryFolder();
    for (const words of [
      ['admin', 'list-users'],
      ['backup', join(empty, 'copy')],
    ]) {
      expect(await failure(words, { SHEAF_DATA: empty })).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`there is no database in ${empty}`) as string,
      });
    }
    expect(await failure(['restore', join(empty, 'none')], { SHEAF_DATA: empty })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is not a backup') as string,
    });
    expect(await readdir(empty)).toEqual([]);
  });
});

describe('sheaf call', () => {
  test('calls by flags and by JSON, prints JSON when piped', async () => {
    const { stdout } = await sheaf(['call', 'account.get_me'], { SHEAF_API_KEY: '' });
    expect(JSON.parse(stdout)).toMatchObject({ name: 'owner', role: 'owner' });
    const made = await sheaf(['call', 'create_key', '--name', 'cli', '--modules', 'note,sheet']);
    expect((JSON.parse(made.stdout) as { key: { modules: string[] } }).key.modules).toEqual(['note', 'sheet']);
    const table = await sheaf(['call', 'account.list_keys', '--json', '{}', '--table']);
    expect(table.stdout).toMatch(/key_id +client_id/);
    const { key } = JSON.parse(made.stdout) as { key: { key_id: string; create_time: number } };
    expect(table.stdout).toContain(`${key.key_id}  `);
    expect(table.stdout).toContain(new Date(key.create_time).toISOString());
  });

  test('exits non-zero with the code and message on failure', async () => {
    const failed = await sheaf(['call', 'create_key', '--name', '']).catch(
      (error: { code: number; stderr: string }) => error,
    );
    expect(failed).toMatchObject({ code: 1, stderr: '410001: name: must not be empty (got "")\n' });
    const unknown = await sheaf(['call', 'nope']).catch((error: { code: number }) => error);
    expect(unknown).toMatchObject({ code: 2 });
    const nobody = await sheaf(['call', 'get_me'], {
      SHEAF_URL: 'http://127.0.0.1:1',
      SHEAF_API_KEY: 'x',
      SHEAF_CLIENT_ID: 'y',
    }).catch((error: { code: number; stderr: string }) => error);
    expect((nobody as { stderr: string }).stderr).toContain('is not responding');
  });

  test('help: commands, settings, operations', async () => {
    expect((await sheaf(['help'])).stdout).toContain('sheaf backup FOLDER');
    expect((await sheaf(['help', 'config'])).stdout).toMatch(
      /SHEAF_PORT +port to listen on; 0 = any free port \[8787\]/,
    );
    expect((await sheaf(['call', 'create_key', '--help'])).stdout).toContain('--access');
    expect((await sheaf(['call', '--help'])).stdout).toContain('account.get_me');
  });

  test.each(['serve', 'mcp', 'call', 'admin', 'backup', 'restore'])(
    'help on %s, by either way, and nothing else happens',
    async (command) => {
      const { stdout } = await sheaf(['help', command]);
      expect(stdout).toMatch(new RegExp(`^sheaf ${command}`));
      if (command !== 'call') expect((await sheaf([command, '--help'], { SHEAF_PORT: '0' })).stdout).toBe(stdout);
    },
  );
});

describe('sheaf admin', () => {
  test('makes users and keys on the data folder, beside the running server', async () => {
    expect((await sheaf(['admin', 'create-user', 'grace'])).stdout).toMatch(
      /sign_in_link: http:\/\/127\.0\.0\.1:\d+\/sign-in\?token=/,
    );
    const { stdout } = await sheaf(['admin', 'create-key', 'grace', 'robot', 'read']);
    const key = {
      SHEAF_API_KEY: /api_key: (\S+)/.exec(stdout)![1]!,
      SHEAF_CLIENT_ID: /client_id: (\S+)/.exec(stdout)![1]!,
    };
    const me = await sheaf(['call', 'get_me'], key);
    expect(JSON.parse(me.stdout)).toMatchObject({ name: 'grace', scopes: { access: 'read' } });
    const child = spawn(process.execPath, [script, 'admin', 'set-password', 'grace'], {
      env: { ...process.env, SHEAF_DATA: folder },
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    child.stdin.end('correct horse\n');
    expect(await once(child, 'exit')).toEqual([0, null]);
    const signedIn = await fetch(`${url}/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url },
      body: '{"name":"grace","password":"correct horse"}',
    });
    expect(signedIn.status).toBe(200);
    await sheaf(['admin', 'suspend', 'grace']);
    const refused = await sheaf(['call', 'get_me'], key).catch((error: { stderr: string }) => error);
    expect((refused as { stderr: string }).stderr).toContain('suspended');
  });
});

describe('[finding C10] the link that admin create-user prints', () => {
  const link = async (name: string, env: Record<string, string> = {}) => {
    const { stdout } = await sheaf(['admin', 'create-user', name], { SHEAF_PORT: '', ...env });
    return /sign_in_link: (\S+)\/sign-in\?token=/.exec(stdout)?.[1];
  };

  test('leads to the running server, whatever port it was given', async () => {
    expect(await link('lin')).toBe(url);
    expect(await link('mae', { SHEAF_PORT: '0' })).toBe(url);
  });

  test('leads where the settings of the command say', async () => {
    expect(await link('noor', { SHEAF_PORT: '9123' })).toBe('http://127.0.0.1:9123');
    expect(await link('olga', { SHEAF_PUBLIC_URL: 'https://sheaf.example/', SHEAF_PORT: '9123' })).toBe(
      'https://sheaf.example',
    );
  });

  test('leads to the default address when no server has ever written one', async () => {
    const data = await temporaryFolder();
    const server = start(data, { SHEAF_HOST: '0.0.0.0' });
    const port = new URL(await server.ready).port;
    await server.stop();
    expect(await link('pia', { SHEAF_DATA: data })).toBe(`http://127.0.0.1:${port}`);
    await rm(join(data, 'credentials.json'));
    expect(await link('quin', { SHEAF_DATA: data })).toBe('http://127.0.0.1:8787');
  });
});

describe('sheaf backup and restore', () => {
  test('copies beside the running server and restores into an empty folder, whose server knows the same key', async () => {
    const target = join(await temporaryFolder(), 'copy');
    expect((await sheaf(['backup', target])).stdout).toMatch(/^backed up \d+ rows of \d+ tables and \d+ files/);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    const at = Number(/^sheaf_last_backup_seconds (\S+)$/m.exec(metrics)?.[1]);
    expect(Math.abs(at - Date.now() / 1000)).toBeLessThan(300);
    const again = await sheaf(['backup', target]).catch((error: { code: number; stderr: string }) => error);
    expect(again).toMatchObject({ code: 2 });
    const restored = await temporaryFolder();
    expect((await sheaf(['restore', target], { SHEAF_DATA: restored })).stdout).toMatch(/^restored \d+ rows/);
    const server = start(restored);
    const restoredUrl = await server.ready;
    const me = await sheaf(['call', 'get_me'], { SHEAF_URL: restoredUrl });
    expect(JSON.parse(me.stdout)).toMatchObject({ name: 'owner' });
    await server.stop();
    const full = await sheaf(['restore', target], { SHEAF_DATA: restored }).catch(
      (error: { code: number; stderr: string }) => error,
    );
    expect((full as { stderr: string }).stderr).toContain('not empty');
  });
});

interface Reply {
  id: number | null;
  result?: { protocolVersion?: string; structuredContent?: { name: string } };
  error?: { code: number };
}

describe('sheaf mcp', () => {
  async function talk(env: Record<string, string>): Promise<Reply[]> {
    const child = spawn(process.execPath, [script, 'mcp', 'modules=account'], {
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stdin.end(
      [
        '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}',
        '{"jsonrpc":"2.0","method":"notifications/initialized"}',
        '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"account_get_me"}}',
        'not json',
      ].join('\n'),
    );
    await once(child, 'exit');
    return output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Reply);
  }

  test('speaks the protocol through the running server', async () => {
    const answers = await talk({ SHEAF_DATA: folder, SHEAF_URL: url });
    expect(answers.find((answer) => answer.id === 1)?.result?.protocolVersion).toBe('2025-06-18');
    expect(answers.find((answer) => answer.id === 2)?.result?.structuredContent?.name).toBe('owner');
    expect(answers.find((answer) => answer.id === null)?.error?.code).toBe(-32700);
  });

  test('[finding C10] needs only the key, not the client id beside it', async () => {
    const { api_key: key } = JSON.parse(await readFile(join(folder, 'credentials.json'), 'utf8')) as {
      api_key: string;
    };
    const answers = await talk({ SHEAF_DATA: await temporaryFolder(), SHEAF_URL: url, SHEAF_API_KEY: key });
    expect(answers.find((answer) => answer.id === 2)?.result?.structuredContent?.name).toBe('owner');
    const wrong = await talk({ SHEAF_DATA: folder, SHEAF_URL: url, SHEAF_API_KEY: 'sk_wrong' });
    expect(wrong.find((answer) => answer.id === 2)?.error?.code).toBe(-32001);
  });

  test('[finding C10] working on the data folder itself leaves the address of the server as it is', async () => {
    const before = await readFile(join(folder, 'credentials.json'), 'utf8');
    const elsewhere = await temporaryFolder();
    await mkdir(join(elsewhere, 'sheaf'));
    await writeFile(join(elsewhere, 'sheaf', 'credentials.json'), '{"url":"http://127.0.0.1:1","api_key":"y"}');
    const answers = await talk({ SHEAF_DATA: folder, XDG_CONFIG_HOME: elsewhere });
    expect(answers.find((answer) => answer.id === 2)?.result?.structuredContent?.name).toBe('owner');
    expect(await readFile(join(folder, 'credentials.json'), 'utf8')).toBe(before);
  });

  test('and by itself on a data folder when no server runs, or beside one that it does not find', async () => {
    const answers = await talk({ SHEAF_DATA: await temporaryFolder(), XDG_CONFIG_HOME: await temporaryFolder() });
    expect(answers.find((answer) => answer.id === 2)?.result?.structuredContent?.name).toBe('owner');
    const elsewhere = await temporaryFolder();
    await mkdir(join(elsewhere, 'sheaf'));
    await writeFile(
      join(elsewhere, 'sheaf', 'credentials.json'),
      '{"url":"http://127.0.0.1:1","client_id":"x","api_key":"y"}',
    );
    const beside = await talk({ SHEAF_DATA: folder, XDG_CONFIG_HOME: elsewhere });
    expect(beside.find((answer) => answer.id === 2)?.result?.structuredContent?.name).toBe('owner');
  });
});
