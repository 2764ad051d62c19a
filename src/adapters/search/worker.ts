import { workerData } from 'node:worker_threads';
import { later } from '../../lib/background.ts';
import { answerTasks } from '../../lib/thread-body.ts';
import { sqliteCode, type Task, type WorkerSettings } from './protocol.ts';
import { SqliteWriter } from './sqlite-writer.ts';
import { tokensOf } from './entry-tokens.ts';

/** The thread that makes tokens and writes the SQLite index, so that neither ever stalls a request. */
const { path } = workerData as WorkerSettings;
const writer = path === undefined ? undefined : new SqliteWriter(path);

/** How long nothing must have been asked before the index is tidied, and between its steps. */
const idleMs = 300;
const betweenMs = 10;
let tidying: NodeJS.Timeout | undefined;

answerTasks<Task>({
  perform(task) {
    clearTimeout(tidying);
    try {
      return perform(task);
    } finally {
      if (writer && task.kind !== 'open') tidying = later('tidying the search index', idleMs, tidy);
    }
  },
  failureOf: (error) => ({
    message: error instanceof Error ? error.message : String(error),
    code: sqliteCode(error),
  }),
  end() {
    clearTimeout(tidying);
    writer?.close();
  },
});

/** Nobody waits for this: what fails here is tried again after the next change. */
function tidy(): void {
  let isMore = false;
  try {
    isMore = writer?.tidy() ?? false;
  } catch (error) {
    process.stderr.write(
      `the search index could not be optimized: ${error instanceof Error ? error.message : String(error)}\n`,
    );
  }
  if (isMore) tidying = later('tidying the search index', betweenMs, tidy);
}

function perform(task: Task): unknown {
  if (task.kind === 'tokenize') return task.entries.map(tokensOf);
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
