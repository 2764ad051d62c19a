import { parentPort } from 'node:worker_threads';
import { decode, FormatError } from './index.ts';
import type { Decoded, DecodeOptions, FormatErrorWord } from './index.ts';

/** One job in, one answer out, one at a time; the pool on the other side keeps the time and the memory. */
export interface WorkerRequest {
  id: number;
  bytes: Uint8Array;
  options: DecodeOptions;
}

export type WorkerReply = { id: number; result: Decoded } | { id: number; word: FormatErrorWord; message: string };

async function answer({ id, bytes, options }: WorkerRequest): Promise<WorkerReply> {
  try {
    return { id, result: await decode(bytes, options) };
  } catch (cause) {
    if (cause instanceof FormatError) return { id, word: cause.word, message: cause.message };
    return { id, word: 'crashed', message: 'The file made its parser fail.' };
  }
}

parentPort?.on('message', (request: WorkerRequest) => {
  void answer(request).then((reply) => parentPort?.postMessage(reply));
});
