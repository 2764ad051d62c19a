/** What the call path measures; the Prometheus adapter is wired in app.ts. */
export interface Metrics {
  observe(operation: string, word: string, seconds: number): void;
  /** The exposition text. */
  text(): Promise<string>;
}
