/** Upper bounds, in seconds, of the buckets of the histogram of call durations. */
const bounds = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10];

interface OperationStats {
  readonly results: Map<string, number>;
  /** Number of calls per duration bucket. The last element counts the calls that took longer than all bounds. */
  readonly counts: number[];
  seconds: number;
}

/** Counts calls and measures their duration, by operation. It runs on every call, so it only increments counters. */
export class CallMetrics {
  readonly #tallies = new Map<string, OperationStats>();

  add(operation: string, result: string, seconds: number): void {
    let tally = this.#tallies.get(operation);
    if (!tally) {
      tally = { results: new Map(), counts: Array.from({ length: bounds.length + 1 }, () => 0), seconds: 0 };
      this.#tallies.set(operation, tally);
    }
    tally.results.set(result, (tally.results.get(result) ?? 0) + 1);
    let bucket = 0;
    while (bucket < bounds.length && seconds > bounds[bucket]!) bucket++;
    tally.counts[bucket]!++;
    tally.seconds += seconds;
  }

  text(): string {
    const calls = ['# HELP sheaf_calls_total Calls by operation and result.', '# TYPE sheaf_calls_total counter'];
    const seconds = [
      '# HELP sheaf_call_seconds Seconds from request to response.',
      '# TYPE sheaf_call_seconds histogram',
    ];
    for (const [operation, tally] of this.#tallies) {
      const label = `operation="${operation}"`;
      for (const [result, count] of tally.results)
        calls.push(`sheaf_calls_total{${label},result="${result}"} ${count}`);
      let upTo = 0;
      for (const [bucket, count] of tally.counts.entries()) {
        upTo += count;
        seconds.push(`sheaf_call_seconds_bucket{le="${bounds[bucket] ?? '+Inf'}",${label}} ${upTo}`);
      }
      seconds.push(`sheaf_call_seconds_sum{${label}} ${tally.seconds}`, `sheaf_call_seconds_count{${label}} ${upTo}`);
    }
    return `${[...calls, ...seconds].join('\n')}\n`;
  }
}
