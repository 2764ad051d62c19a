import type { Registry } from 'prom-client';
import type { Metrics } from '../../operation/metrics.ts';
import type { JobQueue } from '../../ports/job-queue.ts';
import { CallTally } from './call-tally.ts';

/** A number that is read when somebody asks. */
export interface Measure {
  readonly name: string;
  readonly help: string;
  read(): number | Promise<number>;
}

/** Calls are counted from the start; what the process itself does (memory, event loop, collections) from the first reading on. */
export class PrometheusMetrics implements Metrics {
  readonly #calls = new CallTally();
  readonly #jobs: JobQueue;
  readonly #measures: readonly Measure[];
  #process: Promise<Registry> | undefined;

  constructor(jobs: JobQueue, measures: readonly Measure[] = []) {
    this.#jobs = jobs;
    this.#measures = measures;
  }

  observe(operation: string, word: string, seconds: number): void {
    this.#calls.add(operation, word, seconds);
  }

  async text(): Promise<string> {
    this.#process ??= measureProcess(this.#jobs, this.#measures);
    const registry = await this.#process;
    // The package writes a value that is not known yet in letters of its own.
    return `${this.#calls.text()}${(await registry.metrics()).replaceAll(/ Nan$/gm, ' NaN')}`;
  }
}

/** Loaded when somebody first reads: most installations never do, and measuring costs memory and time. */
async function measureProcess(jobs: JobQueue, measures: readonly Measure[]): Promise<Registry> {
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
  for (const { name, help, read } of measures) {
    const measured = new Gauge({
      name,
      help,
      registers: [],
      async collect() {
        this.set(await read());
      },
    });
    registry.registerMetric(measured);
  }
  return registry;
}
