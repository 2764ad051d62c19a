import { parentPort } from 'node:worker_threads';
import { readMarkdown } from './content.ts';

parentPort?.on('message', ({ id, markdown }: { id: number; markdown: string }) => {
  parentPort?.postMessage({ id, view: readMarkdown(markdown) });
});
