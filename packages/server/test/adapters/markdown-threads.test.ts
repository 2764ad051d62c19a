import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { ThreadedMarkdownParser } from '../../src/adapters/parse/threaded-markdown-parser.ts';
import {
  headBytes,
  parseHead,
  tryParseHeadAndText,
  parseMarkdown,
  tryParseMarkdown,
} from '../../src/modules/note/parse-markdown.ts';
import { parseHeadByLine, parseViewByLine } from '../../src/modules/note/parse-markdown-by-line.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';

const script = fileURLToPath(new URL('../../../../dist/workers/notes.js', import.meta.url));
const open: ThreadedMarkdownParser[] = [];

function threads(options: { script?: string; timeoutMs?: number } = {}): ThreadedMarkdownParser {
  const made = new ThreadedMarkdownParser({
    script,
    quickView: tryParseMarkdown,
    quickHead: tryParseHeadAndText,
    fallbackView: parseViewByLine,
    fallbackHead: parseHeadByLine,
    headLength: headBytes,
    ...options,
  });
  open.push(made);
  return made;
}

/** A worker that runs `code` for each text, then answers with an empty reading. */
async function workerThat(code: string): Promise<string> {
  const path = join(await temporaryFolder(), 'worker.mjs');
  const answer = `parentPort.postMessage({ id, value: { text: 'read', headings: '', blocks: '[]', title: 'read' } });`;
  await writeFile(
    path,
    [
      `import { readlinkSync } from 'node:fs';`,
      `import { parentPort } from 'node:worker_threads';`,
      `if (${process.platform === 'linux'}) parentPort.postMessage({ threadId: Number(readlinkSync('/proc/thread-self').split('/').at(-1)) });`,
      `parentPort.on('message', ({ id, task: { part, markdown } }) => { ${code}; ${answer} });`,
    ].join('\n'),
  );
  return path;
}

afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

test('long texts are read in a thread as short ones are here, many at once', async () => {
  const reader = threads();
  const long = '## Part\n\nsome *words*\n\n'.repeat(1000);
  const [one, two, three] = await Promise.all([
    reader.parse(long, 'u'),
    reader.parse('# T', 'u'),
    reader.parse(`${long}end`, 'u'),
  ]);
  expect(one).toEqual(parseMarkdown(long));
  expect(two).toEqual(parseMarkdown('# T'));
  expect(three!.text.endsWith('end')).toBe(true);
  expect(await reader.parseHead(long, 'u')).toEqual(parseHead(long));
  expect(await reader.parseHead('# T\n\nwords', 'u')).toEqual(parseHead('# T\n\nwords'));
});

test('the text that search sees is the same before and after its head was read, short or long', async () => {
  const reader = threads();
  for (const markdown of [
    '# T\n\n*some* words\n\n## Part\n\n- one\n- two',
    '## Part\n\nsome *words*\n\n'.repeat(1000),
  ]) {
    const { text, headings } = parseMarkdown(markdown);
    expect(await reader.parseText(markdown, 'u')).toMatchObject({ text, headings });
    await reader.parseHead(markdown, 'u');
    expect(await reader.parseText(markdown, 'u')).toMatchObject({ text, headings });
    expect(await reader.parseText(markdown, 'u')).toMatchObject({ text, headings });
  }
});

test('[N98] [finding R3] a text that takes too long is read line by line, and the next one is read', async () => {
  const reader = threads({ script: await workerThat(`if (markdown.includes('stuck')) for (;;)`), timeoutMs: 300 });
  const stuck = `# Plans\n\n> stuck ${'x'.repeat(9000)}`;
  const [first, second] = await Promise.all([reader.parse(stuck, 'u'), reader.parse('y'.repeat(9000), 'u')]);
  expect(first).toEqual({
    text: stuck,
    headings: 'Plans',
    blocks: JSON.stringify([{ type: 'p', children: [{ text: stuck }] }]),
  });
  expect(second!.text).toBe('read');
  const head = await reader.parseHead(stuck, 'u');
  expect(head).toMatchObject({ title: 'Plans', coverImage: '' });
  expect(head.summary).toMatch(/^Plans stuck xxx/);
});

test.runIf(process.platform === 'linux')(
  'a text whose thread gets no processor for a while is read all the same',
  async () => {
    const waits = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 900)';
    const reader = threads({ script: await workerThat(waits), timeoutMs: 300 });
    expect((await reader.parse('y'.repeat(9000), 'u')).text).toBe('read');
  },
);

test("[finding R3] one owner's slow texts keep nobody else waiting", async () => {
  const reader = threads({ script: await workerThat(`if (markdown.includes('stuck')) for (;;)`), timeoutMs: 1000 });
  await Promise.all([reader.parse('a'.repeat(9000), 'hostile'), reader.parse('b'.repeat(9000), 'other')]);
  const done: string[] = [];
  const reading = Array.from({ length: 5 }, (_, i) =>
    reader.parse(`stuck ${'x'.repeat(9000)}`, 'hostile').then(() => done.push(`hostile ${i}`)),
  );
  await reader.parse('y'.repeat(9000), 'other').then(() => done.push('other'));
  expect(done[0]).toBe('other');
  await Promise.all(reading);
  expect(done.slice(1)).toEqual([0, 1, 2, 3, 4].map((i) => `hostile ${i}`));
});

test('a thread that dies is replaced', async () => {
  const reader = threads({ script: await workerThat(`if (markdown.startsWith('die')) process.exit(1)`) });
  expect((await reader.parse(`die ${'x'.repeat(9000)}`, 'u')).text.startsWith('die')).toBe(true);
  expect((await reader.parse('y'.repeat(9000), 'u')).text).toBe('read');
});
