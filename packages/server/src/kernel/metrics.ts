/** Measures calls. The Prometheus adapter implements this interface, so that the core does not depend on Prometheus. */
export interface Metrics {
  observe(operation: string, word: string, seconds: number): void;
  text(): Promise<string>;
}
