/** The measurements of the call path. The Prometheus adapter is wired in app.ts. */
export interface Metrics {
  observe(operation: string, word: string, seconds: number): void;
  /** All metrics in the Prometheus text format. */
  text(): Promise<string>;
}
