import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { MarkdownThread } from '../../src/adapters/parse/markdown-thread.ts';
import { readMarkdown } from '../../src/note/content.ts';
import { temporaryFolder } from '../support/temp.ts';

const script = fileURLToPath(new URL('../../dist/workers/notes.js', import.meta.url));
const open: MarkdownThread[] = [];

function thread(options: { script?: string; timeoutMs?: number } = {}): MarkdownThread {
  const made = new MarkdownThread({ script, read: readMarkdown, ...options });
  open.push(made);
  return made;
}

async function workerOf(code: string): Promise<string> {
  const path = join(await temporaryFolder(), 'worker.mjs');
  await writeFile(path, `import { parentPort } from 'node:worker_threads';\n${code}`);
  return path;
}

afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

test('long texts are read in the thread as short ones are here, many at once', async () => {
  const reader = thread();
  const long = '## Part\n\nsome *words*\n\n'.repeat(1000);
  const [one, two, three] = await Promise.all([reader.read(long), reader.read('# T'), reader.read(`${long}end`)]);
  expect(one).toEqual(readMarkdown(long));
  expect(two).toEqual(readMarkdown('# T'));
  expect(three!.text.endsWith('end')).toBe(true);
});

test('[N98] a text that takes too long is given back as written, and the next one is read', async () => {
  const path = await workerOf(`parentPort.on('message', ({ id, markdown }) => { if (markdown.startsWith('stuck')) for (;;); parentPort.postMessage({ id, view: { text: 'read', headings: '', blocks: '[]' } }); });`);
  const reader = thread({ script: path, timeoutMs: 300 });
  const stuck = `stuck ${'x'.repeat(9000)}`;
  const [first, second] = await Promise.all([reader.read(stuck), reader.read('y'.repeat(9000))]);
  expect(first!.text).toBe(stuck);
  expect(JSON.parse(first!.blocks)).toEqual([{ type: 'p', children: [{ text: stuck }] }]);
  expect(second!.text).toBe('read');
});

test('a thread that dies is replaced', async () => {
  const path = await workerOf(`parentPort.on('message', ({ id, markdown }) => { if (markdown.startsWith('die')) process.exit(1); parentPort.postMessage({ id, view: { text: 'read', headings: '', blocks: '[]' } }); });`);
  const reader = thread({ script: path });
  expect((await reader.read(`die ${'x'.repeat(9000)}`)).text.startsWith('die')).toBe(true);
  expect((await reader.read('y'.repeat(9000))).text).toBe('read');
});
