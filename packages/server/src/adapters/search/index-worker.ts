import { workerData } from 'node:worker_threads';
import { buildSegment } from '@sheaf/search/index/build-segment';
import { countDeleted, mergeSegments } from '@sheaf/search/index/merge-segments';
import type { SegmentParts } from '@sheaf/search/index/segment-format';
import { runDelayed } from '../../lib/background-tasks.ts';
import { handleWorkerTasks } from '../../lib/handle-worker-tasks.ts';
import { isCorruption, sqliteErrorCode } from '../sql/sqlite/damage.ts';
import type { IndexTask, WorkerSettings } from './index-worker-protocol.ts';
import { SqliteSegmentWriter } from './sqlite-segment-writer.ts';

/**
 * Main script of the worker thread that builds segments of the search index and, on SQLite, writes the index file. In
 * the main thread, this work would block requests.
 */
const { path } = workerData as WorkerSettings;
const writer = path === undefined ? undefined : new SqliteSegmentWriter(path);

/**
 * Time in milliseconds without tasks after which segments are merged. `betweenMs` is the pause between two steps of
 * this merge.
 */
const idleMs = 300;
const betweenMs = 10;
let tidying: NodeJS.Timeout | undefined;
/** Corruption error found by a merge. The next write throws it, and the main thread then replaces the index file. */
let damage: unknown;

handleWorkerTasks<IndexTask>({
  perform(task) {
    clearTimeout(tidying);
    try {
      if (damage !== undefined && task.kind === 'put') throw damage;
      damage = undefined;
      return perform(task);
    } finally {
      if (writer && task.kind !== 'open') tidying = runDelayed('tidying the search index', idleMs, tidy);
    }
  },
  failureOf: (error) => ({
    message: error instanceof Error ? error.message : String(error),
    code: sqliteErrorCode(error),
  }),
  transferOf: (value) => (isSegment(value) ? memoryOf(value) : []),
  // Merge segments while the main thread loads the next batch of changes.
  afterAnswer: () => merging(() => writer?.mergeMany()),
  end() {
    clearTimeout(tidying);
    writer?.close();
  },
});

function tidy(): void {
  if (merging(() => writer?.tidy())) tidying = runDelayed('tidying the search index', betweenMs, tidy);
}

/**
 * Runs a merge that no caller awaits. If it fails, the error is only logged, because the next change starts the merge
 * again.
 */
function merging<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (isCorruption(sqliteErrorCode(error))) damage = error;
    process.stderr.write(
      `the search index could not be optimized: ${error instanceof Error ? error.message : String(error)}\n`,
    );
    return undefined;
  }
}

function perform(task: IndexTask): unknown {
  if (task.kind === 'build') return buildSegment(task.entries, task.first);
  if (task.kind === 'merge')
    return mergeSegments(
      task.inputs.map(({ parts, deleted }) => ({
        deleted,
        part: (number) => {
          const part = parts.get(number);
          if (!part) throw new Error(`a segment to merge lacks part ${number}`);
          return part;
        },
      })),
    );
  if (task.kind === 'wear')
    return new Map([...task.columns].map(([number, columns]) => [number, countDeleted(columns, task.deleted)]));
  if (!writer) throw new Error(`the search worker was started without a file and cannot do ${task.kind}`);
  switch (task.kind) {
    case 'open':
      return writer.open();
    case 'put':
      return writer.put(task.entries);
    case 'remove':
      return writer.remove(task.space, task.ids);
    case 'clear':
      return writer.clear(task.space);
    case 'rebuilt':
      return writer.rebuilt();
    case 'reset':
      return writer.reset();
  }
}

function isSegment(value: unknown): value is SegmentParts {
  return typeof value === 'object' && value !== null && 'parts' in value;
}

/**
 * Returns the memory buffers of a segment. They are moved to the main thread instead of being copied, because this
 * thread no longer needs them.
 */
function memoryOf({ parts }: SegmentParts): ArrayBuffer[] {
  return [...new Set([...parts.values()].map((part) => part.buffer as ArrayBuffer))];
}
