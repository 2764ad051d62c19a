/** A finished span: one timed step in the trace of a request. Times are milliseconds since 1970, with fractions. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | undefined;
  readonly name: string;
  readonly kind: 'server' | 'internal' | 'client';
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly isFailed: boolean;
}

/**
 * Sends finished trace spans to a tracing system. `add` never throws and never waits. If the system is unavailable,
 * spans are lost, but requests are not delayed.
 */
export interface SpanSink {
  add(span: Span): void;
}
