import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import type { Case } from './cases.ts';

export interface Outcome {
  readonly ended: string;
  readonly ms: number;
}

interface Limits {
  readonly steps: number;
  readonly bytes: number;
  /** A case that takes longer hangs: its thread is ended, and the rest goes on in another one. */
  readonly patienceMs: number;
}

const source = join(import.meta.dirname, 'worker.ts');

/** Computes every case in a thread of its own kind; the outcome of one that did not end, or that broke the thread, says so. */
export async function torture(cases: readonly Case[], { steps, bytes, patienceMs }: Limits): Promise<Outcome[]> {
  const folder = await mkdtemp(join(process.cwd(), 'node_modules', '.torture-'));
  const outfile = join(folder, 'worker.mjs');
  const outcomes: Outcome[] = [];
  try {
    await build({
      entryPoints: [source],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      packages: 'external',
      logLevel: 'warning',
    });
    while (outcomes.length < cases.length) {
      const broken = await part(outfile, { cases, from: outcomes.length, steps, bytes }, patienceMs, outcomes);
      if (broken) outcomes.push(broken);
    }
    return outcomes;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs until the cases are through or one breaks; what broke comes back. */
async function part(
  script: string,
  workerData: unknown,
  patienceMs: number,
  outcomes: Outcome[],
): Promise<Outcome | undefined> {
  const worker = new Worker(script, { workerData, resourceLimits: { maxOldGenerationSizeMb: 2048 } });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<Outcome | undefined>((resolve) => {
      worker.on('message', (message: { begun?: number; ended?: string; ms?: number; finished?: true }) => {
        clearTimeout(timer);
        if (message.finished) resolve(undefined);
        else if (message.begun !== undefined)
          timer = setTimeout(() => resolve({ ended: 'did not end', ms: patienceMs }), patienceMs);
        else outcomes.push({ ended: message.ended!, ms: message.ms! });
      });
      worker.on('error', (error) => resolve({ ended: `broke: ${error.message}`, ms: 0 }));
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
