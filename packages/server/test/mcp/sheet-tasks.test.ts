import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '@sheaf/tools/testing/test-server.ts';
import { doTask, median, tasks, type Task } from '../modules/sheet/agents/tasks.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ database: 'sqlite' });
});
afterAll(() => server.close());

/** Calls a tool as agents do; a refusal is thrown. */
async function tool(name: string, args: object): Promise<any> {
  const response = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${server.owner.apiKey}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  });
  const { result } = (await response.json()) as { result: any };
  if (result.isError) throw new Error(`${name}: ${result.content[0].text}`);
  return result.structuredContent;
}

/** A new document with the task's sub-sheets. */
async function documentFor({ sheets = ['Sales'] }: Task): Promise<string> {
  const { file_id, sheet_id } = await tool('manage_create_file', { title: 'Task' });
  const [first, ...more] = sheets;
  await tool('sheet_rename_sheet', { file_id, sheet_id, name: first });
  for (const name of more) await tool('sheet_add_sheet', { file_id, name });
  return file_id as string;
}

describe('[finding G6] 30 spreadsheet tasks over the built product', () => {
  const done: { name: string; calls: number; tokens: number; failed: unknown }[] = [];

  test.each(tasks)('$name', async (task) => {
    const file_id = await documentFor(task);
    const call = (name: string, input: object = {}): unknown => tool(`sheet_${name}`, { file_id, ...input });
    const made = await doTask(task, { call });
    done.push({ name: task.name, ...made });
    expect(made.failed).toEqual({});
  });

  test('take at most 3 calls and 900 tokens of answers as the median', () => {
    expect(done).toHaveLength(30);
    const [calls, tokens] = [median(done.map((one) => one.calls)), median(done.map((one) => one.tokens))];
    console.log(`30 tasks over MCP: median ${calls} calls, ${tokens} tokens`);
    expect(calls).toBeLessThanOrEqual(3);
    expect(tokens).toBeLessThanOrEqual(900);
  });
});
