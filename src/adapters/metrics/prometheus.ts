import type { Registry } from 'prom-client';
import type { Metrics } from '../../operation/metrics.ts';
import type { JobQueue } from '../../ports/job-queue.ts';
import { CallTally } from './call-tally.ts';

/** Calls are counted from the start; what the process itself does (memory, event loop, collections) from the first reading on. */
export class PrometheusMetrics implements Metrics {
  readonly #calls = new CallTally();
  readonly #jobs: JobQueue;
  #process: Promise<Registry> | undefined;

  constructor(jobs: JobQueue) {
    this.#jobs = jobs;
  }

  observe(operation: string, word: string, seconds: number): void {
    this.#calls.add(operation, word, seconds);
  }

  async text(): Promise<string> {
    this.#process ??= measureProcess(this.#jobs);
    const registry = await this.#process;
    // The package writes a value that is not known yet in letters of its own.
    return `${this.#calls.text()}${(await registry.metrics()).replaceAll(/ Nan$/gm, ' NaN')}`;
  }
}

/** Loaded when somebody first reads: most installations never do, and measuring costs memory and time. */
async function measureProcess(jobs: JobQueue): Promise<Registry> {
  const { Gauge, Registry, collectDefaultMetrics } = await import('prom-client');
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const gauge = new Gauge({
    name: 'sheaf_jobs',
    help: 'Background jobs by state.',
    labelNames: ['state'],
    registers: [],
    async collect() {
      for (const [state, count] of Object.entries(await jobs.counts())) this.set({ state }, count);
    },
  });
  registry.registerMetric(gauge);
  return registry;
}
