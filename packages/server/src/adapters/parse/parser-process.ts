import { runInBackground } from '../../lib/background-tasks.ts';
import { WorkerThread } from '../../lib/worker-thread.ts';
import { decode, FormatError, type DecodedFile, type DecodeOptions, type FormatErrorCode } from '@sheaf/files';

/**
 * Message that asks a parser process to decode one file. Parsers are processes, because a thread that runs out of heap
 * can crash the whole server.
 */
export interface ParserRequest {
  id: number;
  bytes: Uint8Array;
  options: DecodeOptions;
}

export type ParserReply = { id: number; result: DecodedFile } | { id: number; word: FormatErrorCode; message: string };

/**
 * Script of a watchdog thread in the parser process. It kills the process if the total memory exceeds the limit,
 * because heap limits do not include buffers. It also kills the process if the server has ended, because nothing else
 * would stop an endless loop in a decoder.
 */
const watchdog = `
const { workerData } = require('node:worker_threads');
setInterval(() => {
  if (process.memoryUsage.rss() > workerData.maxBytes || process.ppid !== workerData.parent) process.kill(process.pid, 'SIGKILL');
}, 40);
`;

async function answer({ id, bytes, options }: ParserRequest): Promise<ParserReply> {
  try {
    return { id, result: await decode(bytes, { ...options, owned: true }) };
  } catch (error) {
    if (error instanceof FormatError) return { id, word: error.word, message: error.message };
    return { id, word: 'crashed', message: 'The file caused the parser to fail.' };
  }
}

function sendReply(reply: ParserReply): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(reply, undefined, undefined, () => resolve());
  });
}

if (process.send !== undefined) {
  const maxBytes = Number(process.argv[2]) || Number.MAX_SAFE_INTEGER;
  // Read the process id of the server (the parent) from the arguments. If the server died while this process started,
  // `process.ppid` is already the id of another process.
  const parent = Number(process.argv[3]) || process.ppid;
  new WorkerThread({
    name: 'watchdog',
    script: watchdog,
    worker: {
      eval: true,
      workerData: { maxBytes, parent },
      resourceLimits: { maxOldGenerationSizeMb: 16 },
    },
    // Exit if the watchdog thread ends, because no file may be decoded without it.
    onTerminated: () => process.exit(1),
  }).start();
  // Requests that are not answered yet. The next one is started only after the previous reply has been sent, because a
  // crash during decoding would lose a reply that is still being sent.
  const waiting: ParserRequest[] = [];
  let isBusy = false;
  const answerAll = async (): Promise<void> => {
    isBusy = true;
    try {
      for (let next = waiting.shift(); next; next = waiting.shift()) await sendReply(await answer(next));
    } finally {
      isBusy = false;
    }
  };
  process.on('message', (request: ParserRequest) => {
    waiting.push(request);
    if (!isBusy) runInBackground('answering the server', answerAll);
  });
}
