/** What everybody else notices while an attack runs. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { call, headersOf, type Target } from './target.ts';

export interface Figures {
  /** The slowest answers, in milliseconds. */
  healthzMs: number;
  editMs: number;
  noteMs: number;
  /** The most memory at any time, in MB. */
  peakMb: number;
  /** Whether the server is still there. */
  isAlive: boolean;
}

/** Asks for health all the time, and edits a cell and a note of somebody else in turn, until the attack is over. */
export async function watch(target: Target, attack: () => Promise<void>): Promise<Figures> {
  const { file_id, sheet_id } = await call(target, 'manage/v1/create_file', { title: 'Work' }, target.worker);
  const { note_id } = await call(target, 'note/v1/import_doc', { content_format: 1, content: '# Work' }, target.worker);
  const workerData = { url: target.url, headers: headersOf(target.worker), sheet: { file_id, sheet_id }, note_id };
  const watcher = new Worker(new URL('./watcher.mjs', import.meta.url), { workerData });
  await once(watcher, 'message');
  let peakMb = 0;
  const timer = setInterval(() => (peakMb = Math.max(peakMb, memoryMb(target.pid))), 20);
  try {
    await attack();
  } finally {
    clearInterval(timer);
    watcher.postMessage('stop');
  }
  const [figures] = (await once(watcher, 'message')) as [Omit<Figures, 'peakMb'>];
  return { ...figures, peakMb };
}

export function memoryMb(pid: number): number {
  try {
    const kb = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Math.round(Number(kb ?? 0) / 1024);
  } catch {
    return 0;
  }
}
