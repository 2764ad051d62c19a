/** Measures calls. The core depends only on this interface, which the Prometheus adapter implements. */
export interface Metrics {
  observe(operation: string, word: string, seconds: number): void;
  text(): Promise<string>;
}
