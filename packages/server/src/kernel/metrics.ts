/** Measures calls. The kernel knows only this interface; app.ts connects the Prometheus adapter. */
export interface Metrics {
  observe(operation: string, word: string, seconds: number): void;
  text(): Promise<string>;
}
