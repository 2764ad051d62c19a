/** A finished span of a trace. Times are milliseconds since 1970, with fractions. */
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
 * Takes finished spans. Never throws and never waits: if the receiver is unavailable, spans are lost but calls are not
 * delayed.
 */
export interface SpanSink {
  add(span: Span): void;
}
