import { setPriority } from 'node:os';
import { workerData } from 'node:worker_threads';
import { newId } from '../../../lib/ids.ts';
import { toTaskFailure, type TaskFailure } from '../../../lib/task-failure.ts';
import { handleWorkerTasks } from '../../../lib/handle-worker-tasks.ts';
import { currentThreadId } from '../../../lib/thread-cpu-time.ts';
import { Failure } from '../../../kernel/errors.ts';
import { RawJson } from '../../../kernel/raw-json.ts';
import { tools } from '../tools.ts';
import { WorkerDocuments } from './worker-documents.ts';
import { LargeCallLock } from './large-call-lock.ts';
import { importConverted, needsConversion, previewConverted } from './file-conversion.ts';
import type { DrawRequest, ThreadData, WorkerRequest } from './protocol.ts';

const given = workerData as ThreadData | null;
const largeTurn = given?.largeCallLock && new LargeCallLock(given.largeCallLock, given.lane);

const gauge = given?.gauge && new Int32Array(given.gauge);
const thread = new WorkerDocuments(tools, newId, { largeCallLock: largeTurn, lane: given?.lane, gauge });

if (given?.lane === 'slow') lowerPriority();

handleWorkerTasks<WorkerRequest>({
  perform(request) {
    if (request.do === 'draw') return draw(request);
    if (request.do === 'import' && needsConversion(request.format)) return importConverted(request, newId);
    if (request.do === 'view' && needsConversion(request.format))
      return previewConverted(request, newId).then((bytes) => ({ bytes }));
    return thread.handle(request);
  },
  failureOf,
  transferOf: buffersOf,
  afterAnswer: () => largeTurn?.release(),
});

/** Lowers the thread's priority. This has an effect only on Linux, where each thread has its own priority. */
function lowerPriority(): void {
  const threadId = currentThreadId();
  if (threadId === undefined) return;
  try {
    setPriority(threadId, 10);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
  }
}

async function draw(request: DrawRequest): Promise<{ bytes: Uint8Array }> {
  const { renderDrawingAnswer } = await import('../charts/render-chart.ts');
  return { bytes: await renderDrawingAnswer(request.drawing) };
}

function failureOf(error: unknown): TaskFailure {
  return error instanceof Failure ? { word: error.word, message: error.message } : toTaskFailure(error);
}

/** Returns the buffers of large byte arrays in an answer, so that they are transferred instead of copied. */
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
