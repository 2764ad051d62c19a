import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '../testing/test-server.ts';

const run = promisify(execFile);

describe('[finding A7] examples', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.close());

  async function output(example: string): Promise<string> {
    const path = fileURLToPath(new URL(`../../examples/${example}`, import.meta.url));
    const { clientId, apiKey } = server.owner;
    const env = { ...process.env, SHEAF_URL: server.url, SHEAF_CLIENT_ID: clientId, SHEAF_API_KEY: apiKey };
    return (await run(process.execPath, [path], { env })).stdout;
  }

  test('an agent over MCP fills a spreadsheet and reads what its formula gives', async () => {
    expect(await output('agent-over-mcp.mjs')).toMatch(
      /^\d+ tools\nField,Tons\r?\nNorth,42\r?\nSouth,30\r?\nTotal,72\s+$/,
    );
  });

  test('the typed client writes a note, reads it and is refused', async () => {
    const printed = await output('typed-client.mjs');
    expect(printed).toContain('prune the medlar');
    expect(printed).toContain('water the quince');
    expect(printed).toMatch(/^refused with 210\d{3}: /m);
  });
});
