import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { Span, SpanSink } from '../ports/span-sink.ts';

type Attributes = Record<string, string | number>;

/** A span (a timed step of a trace) that has not ended yet. */
export class OpenSpan {
  readonly traceId: string;
  readonly spanId: string = randomBytes(8).toString('hex');
  readonly attributes: Attributes;
  /**
   * Whether this span and its child spans are reported. A `traceparent` header of the caller decides this; without one,
   * they are reported.
   */
  readonly isSampled: boolean;
  readonly #parentId: string | undefined;
  readonly #name: string;
  readonly #kind: Span['kind'];
  readonly #startMs = now();
  #isEnded = false;

  constructor(name: string, kind: Span['kind'], parent: TraceParent | undefined, attributes: Attributes) {
    this.#name = name;
    this.#kind = kind;
    this.traceId = parent?.traceId ?? randomBytes(16).toString('hex');
    this.#parentId = parent?.spanId;
    this.isSampled = parent?.isSampled ?? true;
    this.attributes = attributes;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /**
   * Value of the W3C `traceparent` header for requests to other services. It names this span as the parent of their
   * spans.
   */
  get traceparent(): string {
    return `00-${this.traceId}-${this.spanId}-${this.isSampled ? '01' : '00'}`;
  }

  /** Ends the span and returns it for reporting. Returns undefined if the span has already ended or is not reported. */
  end(isFailed: boolean): Span | undefined {
    if (this.#isEnded) return undefined;
    this.#isEnded = true;
    if (!this.isSampled) return undefined;
    return {
      traceId: this.traceId,
      spanId: this.spanId,
      parentId: this.#parentId,
      name: this.#name,
      kind: this.#kind,
      startMs: this.#startMs,
      endMs: now(),
      attributes: this.attributes,
      isFailed,
    };
  }
}

export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
}

/** Parses a W3C `traceparent` header. Returns undefined if the header is missing or invalid. */
export function parseTraceparent(header: unknown): TraceParent | undefined {
  const found =
    typeof header === 'string' ? /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})/.exec(header) : null;
  const [, traceId = '', spanId = '', flags = ''] = found ?? [];
  if (!found || header?.toString().startsWith('ff') || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/**
 * Measures the work inside requests as spans (timed steps of a trace), and passes each finished span to `sink`, which
 * exports it. Created only if tracing is configured.
 */
export class Tracer {
  readonly #sink: SpanSink;
  readonly #current = new AsyncLocalStorage<OpenSpan>();

  constructor(sink: SpanSink) {
    this.#sink = sink;
  }

  /**
   * Starts a span as a child of the running span, or of `parent` if none is running. An ended span does not count as
   * running: work that outlives its request, such as indexing, starts its own trace.
   */
  start(name: string, kind: Span['kind'], attributes: Attributes, parent?: TraceParent): OpenSpan {
    const running = this.#current.getStore();
    return new OpenSpan(name, kind, running && !running.isEnded ? running : parent, attributes);
  }

  end(span: OpenSpan, isFailed: boolean): void {
    const finished = span.end(isFailed);
    if (finished) this.#sink.add(finished);
  }

  /** Runs work with `span` as the running span. Does not end the span. */
  inside<Result>(span: OpenSpan, work: () => Result): Result {
    return this.#current.run(span, work);
  }

  /** Binds a function to the running span, so that spans started in later calls of the function are its children. */
  bind<Args extends unknown[]>(work: (...args: Args) => void): (...args: Args) => void {
    const running = this.#current.getStore();
    return running === undefined ? work : (...args) => this.#current.run(running, work, ...args);
  }

  /** Runs work inside a span and then ends the span. A rejection marks the span as failed. */
  async run<Result>(span: OpenSpan, work: () => Promise<Result>): Promise<Result> {
    let isFailed = true;
    try {
      const result = await this.#current.run(span, work);
      isFailed = false;
      return result;
    } finally {
      this.end(span, isFailed);
    }
  }
}

/**
 * Returns the current time in milliseconds, computed from a monotonic clock, so that a span never ends before it
 * starts.
 */
function now(): number {
  return performance.timeOrigin + performance.now();
}
