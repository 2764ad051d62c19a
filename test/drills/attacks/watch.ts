/** What everybody else notices while an attack runs. */
import { readFileSync } from 'node:fs';
import { call, type Target } from './target.ts';

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
  const figures: Figures = { healthzMs: 0, editMs: 0, noteMs: 0, peakMb: 0, isAlive: true };
  const sheet = await call(target, 'manage/v1/create_file', { title: 'Work' }, target.worker);
  const { note_id } = await call(target, 'note/v1/import_doc', { content_format: 1, content: '# Work' }, target.worker);
  const works = {
    healthzMs: () => fetch(`${target.url}/healthz`).then((answer) => answer.text()),
    editMs: () => call(target, 'sheet/v1/set_cell_value', { ...sheet, cell: { row: 0, col: 0, value_type: 'NUMBER', number_value: Math.random() } }, target.worker),
    noteMs: () => call(target, 'note/v1/append_doc', { note_id, content_format: 1, content: 'more' }, target.worker),
  };
  let isOver = false;
  const repeat = async (name: keyof typeof works, pauseMs: number): Promise<void> => {
    // The first one warms up what the attack is not to blame for.
    await works[name]();
    while (!isOver && figures.isAlive) {
      const started = performance.now();
      await works[name]().catch(() => (figures.isAlive = false));
      figures[name] = Math.max(figures[name], Math.round(performance.now() - started));
      figures.peakMb = Math.max(figures.peakMb, memoryMb(target.pid));
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  };
  const others = [repeat('healthzMs', 20), repeat('editMs', 50), repeat('noteMs', 50)];
  try {
    await attack();
  } finally {
    isOver = true;
    await Promise.all(others);
  }
  return figures;
}

export function memoryMb(pid: number): number {
  try {
    const kb = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Math.round(Number(kb ?? 0) / 1024);
  } catch {
    return 0;
  }
}
