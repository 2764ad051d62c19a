import { parentPort } from 'node:worker_threads';
import { readHead, readMarkdown } from './content.ts';

const readers = { whole: readMarkdown, head: readHead };

parentPort?.on('message', ({ id, part, markdown }: { id: number; part: keyof typeof readers; markdown: string }) => {
  parentPort?.postMessage({ id, read: readers[part](markdown) });
});
