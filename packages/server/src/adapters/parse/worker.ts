import { inBackground } from '../../lib/background.ts';
import { Thread } from '../../lib/thread.ts';
import { decode, FormatError, type Decoded, type DecodeOptions, type FormatErrorWord } from '@sheaf/files';

/**
 * The body of a parser process: one job in, one answer out, one at a time; the pool on the other side keeps the time.
 * A process and not a thread, because a thread that runs out of heap can take the whole process with it.
 */
export interface WorkerRequest {
  id: number;
  bytes: Uint8Array;
  options: DecodeOptions;
}

export type WorkerReply = { id: number; result: Decoded } | { id: number; word: FormatErrorWord; message: string };

/**
 * Runs beside the decoder and ends the process when it holds more memory than allowed (buffers included, which no heap
 * limit counts), or when the server is gone and nobody would ever stop a decoder that spins.
 */
const watchdog = `
const { workerData } = require('node:worker_threads');
setInterval(() => {
  if (process.memoryUsage.rss() > workerData.maxBytes || process.ppid !== workerData.parent) process.kill(process.pid, 'SIGKILL');
}, 40);
`;

async function answer({ id, bytes, options }: WorkerRequest): Promise<WorkerReply> {
  try {
    return { id, result: await decode(bytes, { ...options, owned: true }) };
  } catch (error) {
    if (error instanceof FormatError) return { id, word: error.word, message: error.message };
    return { id, word: 'crashed', message: 'The file caused the parser to fail.' };
  }
}

function tell(reply: WorkerReply): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(reply, undefined, undefined, () => resolve());
  });
}

if (process.send !== undefined) {
  const maxBytes = Number(process.argv[2]) || Number.MAX_SAFE_INTEGER;
  // As the server told it: one that was killed while this started is not our parent any more.
  const parent = Number(process.argv[3]) || process.ppid;
  new Thread({
    name: 'watchdog',
    script: watchdog,
    worker: {
      eval: true,
      workerData: { maxBytes, parent },
      resourceLimits: { maxOldGenerationSizeMb: 16 },
    },
    // Nothing is read without it.
    onLost: () => process.exit(1),
  }).start();
  // What comes meanwhile waits here, and begins once the answer before it is on its way: a crash takes none along.
  const waiting: WorkerRequest[] = [];
  let isBusy = false;
  const answerAll = async (): Promise<void> => {
    isBusy = true;
    try {
      for (let next = waiting.shift(); next; next = waiting.shift()) await tell(await answer(next));
    } finally {
      isBusy = false;
    }
  };
  process.on('message', (request: WorkerRequest) => {
    waiting.push(request);
    if (!isBusy) inBackground('answering the server', answerAll);
  });
}
