import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '@sheaf/tools/testing/test-server.ts';
import { suiteNode } from './conformance.ts';

/** Command-line clients of others against a running server: the Inspector under its Node 22, and mcporter. */

const modules = fileURLToPath(new URL('../../../../tools/outside/node_modules', import.meta.url));
const inspector = join(modules, '@modelcontextprotocol/inspector/clients/launcher/build/index.js');
const mcporter = join(modules, 'mcporter/dist/cli.js');
const node = suiteNode();
const patienceMs = 120_000;

let server: TestServer;
let home: string;
beforeAll(async () => {
  server = await startServer({ database: 'sqlite' });
  // Both keep settings in the home directory.
  home = mkdtempSync(join(tmpdir(), 'sheaf-clients-'));
});
afterAll(async () => {
  await server.close();
  rmSync(home, { recursive: true, force: true });
});

/** The output goes to a file, because mcporter exits before a pipe has taken all of it. */
async function run(program: string, args: readonly string[]): Promise<{ code: number; out: string; told: string }> {
  const path = join(home, 'output');
  const file = openSync(path, 'w');
  const child = spawn(program, args, {
    cwd: home,
    env: { ...process.env, HOME: home, NO_COLOR: '1' },
    stdio: ['ignore', file, 'pipe'],
  });
  closeSync(file);
  let told = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (told += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code: code ?? 1, out: readFileSync(path, 'utf8'), told };
}

const skillNames = [
  'answer-with-citation',
  'build-and-check-a-sheet',
  'change-a-note',
  'file-and-tag',
  'remember',
  'take-back',
];

describe.skipIf(node === undefined && process.platform !== 'linux')('the MCP Inspector', () => {
  const inspect = async (method: string, ...more: string[]): Promise<any> => {
    const target = ['--server-url', `${server.url}/mcp?tools=all`, '--transport', 'http'];
    const key = ['--header', `Authorization: Bearer ${server.owner.apiKey}`];
    const { code, out, told } = await run(node!, [inspector, '--cli', ...target, ...key, '--method', method, ...more]);
    expect({ code, told }, told).toEqual({ code: 0, told: expect.any(String) });
    const lines = out.trim().split('\n');
    // Some methods print a line for each result.
    return lines.length > 1 && lines[0]!.endsWith('}') ? lines.map((line) => JSON.parse(line)) : JSON.parse(out);
  };

  test(
    'lists every tool and finds no schema that other clients refuse',
    async () => {
      const { tools } = await inspect('tools/list', '--strict');
      expect(tools.length).toBeGreaterThan(200);
      expect(tools.find((tool: any) => tool.name === 'sheet_read').title).toBe('Read');
    },
    patienceMs,
  );

  test(
    'calls, reads and prompts',
    async () => {
      const called = await inspect('tools/call', '--tool-name', 'account_get_me');
      expect(called.structuredContent.name).toBe('owner');
      const { contents } = await inspect('resources/read', '--uri', 'sheaf://docs/note');
      expect(contents[0].mimeType).toBe('text/markdown');
      const { prompts } = await inspect('prompts/list');
      expect(prompts.map((one: any) => one.name)).toContain('take-back');
    },
    patienceMs,
  );

  test(
    'verifies the skills and their digests',
    async () => {
      const skills = await inspect('skills/list', '--verify');
      expect(skills.map((one: any) => [one.name, one.ok])).toEqual(skillNames.map((name) => [name, true]));
    },
    patienceMs,
  );
});

describe('mcporter 0.7.3', () => {
  const port = async (command: string, ...args: string[]): Promise<any> => {
    const config = join(home, 'mcporter.json');
    const { code, out, told } = await run(process.execPath, [mcporter, '--config', config, command, ...args]);
    expect({ code, told }, `${out}\n${told}`).toEqual({ code: 0, told: expect.any(String) });
    return JSON.parse(out);
  };

  test(
    'lists the tools and calls one that writes and one that reads',
    async () => {
      const headers = { Authorization: `Bearer ${server.owner.apiKey}` };
      const servers = { sheaf: { baseUrl: `${server.url}/mcp`, headers } };
      writeFileSync(join(home, 'mcporter.json'), JSON.stringify({ mcpServers: servers, imports: [] }));
      const { tools } = await port('list', 'sheaf', '--json');
      expect(tools.map((tool: any) => tool.name)).toContain('find_tools');
      const made = await port('call', 'sheaf.manage_create_file', 'title=Ported', '--output', 'json');
      const id = made.file_id ?? made.structuredContent.file_id;
      await port(
        'call',
        'sheaf.sheet_write',
        '--args',
        `{"file_id":"${id}","range":"A1","rows":[["ported"]]}`,
        '--output',
        'json',
      );
      const read = await port('call', 'sheaf.sheet_read', `file_id=${id}`, '--output', 'json');
      expect(JSON.stringify(read)).toContain('ported');
    },
    patienceMs,
  );
});
