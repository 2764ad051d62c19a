import { setTimeout as sleep } from 'node:timers/promises';
import type { Gauge, Registry } from 'prom-client';
import type { Metrics } from '../../kernel/metrics.ts';
import type { JobQueue } from '../../ports/job-queue.ts';
import { CallMetrics } from './call-metrics.ts';

/** A gauge that is read synchronously from the process. */
export interface ProcessGauge {
  readonly name: string;
  readonly help: string;
  read(): number;
}

/**
 * A gauge whose value is queried from a dependency. If the query fails, the gauge shows its last value or `fallback`.
 */
export interface QueriedGauge {
  readonly name: string;
  readonly help: string;
  query(): Promise<number>;
  /** Value that the gauge shows if the query fails or takes too long. Default: its last value. */
  readonly fallback?: number;
}

export type GaugeSource = ProcessGauge | QueriedGauge;

/** Maximum time in milliseconds that a request of Prometheus for the metrics waits for a database query. */
const queryMs = 1_000;

/**
 * Counts calls from the start of the server. Process metrics (memory, event loop, garbage collection) start when
 * Prometheus first requests the metrics.
 */
export class PrometheusMetrics implements Metrics {
  readonly #calls = new CallMetrics();
  readonly #jobs: JobQueue;
  readonly #measures: readonly GaugeSource[];
  #process: Promise<Gauges> | undefined;
  /** Running queries by gauge, so that no query runs twice at the same time. */
  readonly #queries = new Map<string, Promise<void>>();

  constructor(jobs: JobQueue, measures: readonly GaugeSource[] = []) {
    this.#jobs = jobs;
    this.#measures = measures;
  }

  observe(operation: string, word: string, seconds: number): void {
    this.#calls.add(operation, word, seconds);
  }

  async text(): Promise<string> {
    this.#process ??= createRegistry(this.#measures);
    const { registry, jobs, gauges } = await this.#process;
    // Read the process gauges first, because the queries below would raise their values, such as memory use.
    for (const measure of this.#measures) if ('read' in measure) gauges.get(measure.name)?.set(measure.read());
    await Promise.all([
      this.#query('sheaf_jobs', async () => {
        for (const [state, count] of Object.entries(await this.#jobs.counts())) jobs.set({ state }, count);
      }),
      ...this.#measures.map((measure) => {
        if ('read' in measure) return undefined;
        const gauge = gauges.get(measure.name)!;
        return this.#query(
          measure.name,
          async () => gauge.set(await measure.query()),
          () => {
            if (measure.fallback !== undefined) gauge.set(measure.fallback);
          },
        );
      }),
    ]);
    // Replace `Nan`, which prom-client writes, with `NaN`, which Prometheus expects.
    return `${this.#calls.text()}${(await registry.metrics()).replaceAll(/ Nan$/gm, ' NaN')}`;
  }

  async #query(name: string, ask: () => Promise<void>, onAway: () => void = () => undefined): Promise<void> {
    let asking = this.#queries.get(name);
    if (!asking) {
      asking = ask()
        .catch(onAway)
        .finally(() => this.#queries.delete(name));
      this.#queries.set(name, asking);
    }
    const done = new AbortController();
    const late = sleep(queryMs, undefined, { signal: done.signal, ref: false }).then(onAway, () => undefined);
    await Promise.race([asking, late]);
    done.abort();
  }
}

interface Gauges {
  readonly registry: Registry;
  readonly jobs: Gauge<'state'>;
  readonly gauges: ReadonlyMap<string, Gauge>;
}

/**
 * Creates the metrics registry. It is created only at the first scrape, because most installations are never scraped
 * and collecting metrics costs memory and time.
 */
async function createRegistry(measures: readonly GaugeSource[]): Promise<Gauges> {
  const prometheus = await import('prom-client');
  const registry = new prometheus.Registry();
  const registers = [registry];
  prometheus.collectDefaultMetrics({ register: registry });
  const jobs = new prometheus.Gauge({
    name: 'sheaf_jobs',
    help: 'Background jobs by state.',
    labelNames: ['state'],
    registers,
  });
  const gauges = new Map(
    measures.map(({ name, help }) => [name, new prometheus.Gauge({ name, help, registers })] as const),
  );
  return { registry, jobs, gauges };
}
