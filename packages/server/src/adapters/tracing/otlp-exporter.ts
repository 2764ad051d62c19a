import { runDelayed, runEvery, runInBackground } from '../../lib/background-tasks.ts';
import type { Logger } from '../../lib/logger.ts';
import type { Span, SpanSink } from '../../ports/span-sink.ts';

const maxBuffered = 4_096;
const maxBatch = 512;
const everyMs = 2_000;
const sendMs = 10_000;
const closeMs = 3_000;
const kinds = { internal: 1, server: 2, client: 3 };
const [statusUnset, statusError] = [0, 2];

export interface OtlpOptions {
  /** Base URL of the receiver, to which `/v1/traces` is appended. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Attributes of this process, such as `service.name`. */
  readonly resource: Readonly<Record<string, string>>;
  readonly log: Logger;
}

/**
 * Sends trace spans to an OpenTelemetry receiver, by OTLP over HTTP in its JSON encoding. Spans are dropped and counted
 * if the buffer is full or a request fails. A failed request is not repeated, so no span arrives twice.
 */
export class OtlpExporter implements SpanSink {
  readonly #options: OtlpOptions;
  readonly #address: string;
  readonly #timer: NodeJS.Timeout;
  readonly #stopping = new AbortController();
  #buffer: Span[] = [];
  #sending: Promise<void> | undefined;
  #dropped = 0;
  #isFailing = false;

  constructor(options: OtlpOptions) {
    this.#options = options;
    this.#address = `${options.url.replace(/\/+$/, '')}/v1/traces`;
    this.#timer = runEvery('sending traces', everyMs, () => this.#flush());
    this.#timer.unref();
  }

  /** Number of spans since the start that were dropped or that the receiver did not confirm. */
  get dropped(): number {
    return this.#dropped;
  }

  add(span: Span): void {
    if (this.#buffer.length >= maxBuffered) {
      this.#dropped += 1;
      return;
    }
    this.#buffer.push(span);
    if (this.#buffer.length >= maxBatch && !this.#sending) runInBackground('sending traces', () => this.#flush());
  }

  /** Sends the buffered spans. Gives up after a few seconds. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    const forced = runDelayed('giving up the last traces', closeMs, () => this.#stopping.abort());
    await this.#flush();
    await this.#flush();
    clearTimeout(forced);
  }

  #flush(): Promise<void> {
    this.#sending ??= this.#sendAll().finally(() => (this.#sending = undefined));
    return this.#sending;
  }

  async #sendAll(): Promise<void> {
    while (this.#buffer.length > 0 && !this.#stopping.signal.aborted) {
      const batch = this.#buffer.splice(0, maxBatch);
      const reason = await this.#send(batch);
      if (reason === undefined) {
        this.#isFailing = false;
        continue;
      }
      this.#dropped += batch.length;
      if (!this.#isFailing)
        this.#options.log.warn({ url: this.#address, reason }, 'traces cannot be sent (SHEAF_OTLP_URL)');
      this.#isFailing = true;
      return;
    }
  }

  /** Sends a batch. Returns the reason if the receiver did not accept it. */
  async #send(batch: readonly Span[]): Promise<string | undefined> {
    try {
      const response = await fetch(this.#address, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...this.#options.headers },
        body: JSON.stringify(this.#encode(batch)),
        redirect: 'error',
        signal: AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(sendMs)]),
      });
      await response.body?.cancel();
      return response.ok ? undefined : `the receiver answered ${response.status}`;
    } catch (error) {
      return String((error as Error).cause ?? error);
    }
  }

  #encode(batch: readonly Span[]): object {
    const { resource } = this.#options;
    const scope = { name: 'sheaf', version: resource['service.version'] };
    return {
      resourceSpans: [
        { resource: { attributes: encodeAttributes(resource) }, scopeSpans: [{ scope, spans: batch.map(encodeSpan) }] },
      ],
    };
  }
}

function encodeSpan(span: Span): object {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentId === undefined ? {} : { parentSpanId: span.parentId }),
    name: span.name,
    kind: kinds[span.kind],
    startTimeUnixNano: toNanoseconds(span.startMs),
    endTimeUnixNano: toNanoseconds(span.endMs),
    attributes: encodeAttributes(span.attributes),
    status: { code: span.isFailed ? statusError : statusUnset },
  };
}

function encodeAttributes(attributes: Readonly<Record<string, string | number>>): object[] {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    // The JSON encoding of protocol buffers represents 64-bit integers as strings.
    value: typeof value === 'string' ? { stringValue: value } : { intValue: String(value) },
  }));
}

/**
 * Returns nanoseconds as text, because a number cannot hold that many digits exactly. Computes microseconds and appends
 * zeros.
 */
function toNanoseconds(milliseconds: number): string {
  return `${Math.round(milliseconds * 1000)}000`;
}
