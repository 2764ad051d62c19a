import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { newId } from '../../lib/ids.ts';
import { Failure } from '../../operation/errors.ts';
import { RawJson } from '../../operation/raw-json.ts';
import { tools } from '../tools.ts';
import { DocumentThread } from './document-thread.ts';
import { importXls } from './files.ts';
import type { DrawRequest, WorkerRequest } from './protocol.ts';

/** The body of a thread that holds documents: requests in, answers out, one at a time. */
const thread = new DocumentThread(tools, newId);

if ((workerData as { isSlow?: true } | null)?.isSlow) giveWay();

parentPort!.on('message', (request: WorkerRequest) => {
  if (request.do === 'draw') {
    draw(request).then(send, refuse);
    return;
  }
  if (request.do === 'import' && request.format === 'xls') {
    importXls(request, newId).then(send, refuse);
    return;
  }
  try {
    send(thread.handle(request));
  } catch (error) {
    refuse(error);
  }
});

/** Linux gives each thread a priority of its own; elsewhere this thread shares as all do. */
function giveWay(): void {
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), 10);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
  }
}

async function draw(request: DrawRequest): Promise<{ bytes: Uint8Array }> {
  const { answerDrawing } = await import('../charts/render.ts');
  return { bytes: await answerDrawing(request.drawing) };
}

function send(answer: unknown): void {
  parentPort!.postMessage({ answer }, buffersOf(answer));
}

function refuse(error: unknown): void {
  const failure =
    error instanceof Failure
      ? { word: error.word, message: error.message }
      : { word: 'internal', message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  parentPort!.postMessage({ failure });
}

/** Large answers are handed over, not copied. */
function buffersOf(answer: unknown): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>();
  const look = (value: unknown): void => {
    if (value instanceof Uint8Array) {
      if (
        value.byteLength > 4096 &&
        value.byteLength === value.buffer.byteLength &&
        value.buffer instanceof ArrayBuffer
      )
        found.add(value.buffer);
    } else if (Array.isArray(value)) for (const one of value) look(one);
    else if (typeof value === 'object' && value !== null && !(value instanceof RawJson))
      for (const one of Object.values(value)) look(one);
  };
  look(answer);
  return [...found];
}
