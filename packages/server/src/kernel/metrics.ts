/**
 * Metrics about calls: `observe` records a call, and `text` returns all metrics as text. The Prometheus adapter
 * implements this interface, so that the core does not depend on Prometheus.
 */
export interface Metrics {
  observe(operation: string, word: string, seconds: number): void;
  text(): Promise<string>;
}
