import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { Metrics } from '../../operation/metrics.ts';
import type { JobQueue } from '../../ports/job-queue.ts';

export class PrometheusMetrics implements Metrics {
  readonly #registry = new Registry();
  readonly #calls: Counter<'operation' | 'result'>;
  readonly #seconds: Histogram<'operation'>;

  constructor(jobs: JobQueue) {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
    this.#calls = new Counter({ name: 'sheaf_calls_total', help: 'Calls by operation and result.', labelNames: ['operation', 'result'], registers });
    this.#seconds = new Histogram({
      name: 'sheaf_call_seconds',
      help: 'Seconds from request to answer.',
      labelNames: ['operation'],
      buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
      registers,
    });
    new Gauge({
      name: 'sheaf_jobs',
      help: 'Background jobs by state.',
      labelNames: ['state'],
      registers,
      async collect() {
        for (const [state, count] of Object.entries(await jobs.counts())) this.set({ state }, count);
      },
    });
  }

  observe(operation: string, word: string, seconds: number): void {
    this.#calls.inc({ operation, result: word });
    this.#seconds.observe({ operation }, seconds);
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }
}
