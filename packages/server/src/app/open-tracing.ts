import { hostname } from 'node:os';
import { OtlpExporter } from '../adapters/tracing/otlp-exporter.ts';
import type { GaugeSource } from '../adapters/metrics/prometheus.ts';
import type { Database } from '../adapters/sql/database.ts';
import { parseHeaders } from '../config.ts';
import type { Answer, Invoker } from '../kernel/invoker.ts';
import { parseTraceparent, Tracer } from '../kernel/tracer.ts';
import type { SheetStore } from '../ports/sheet-store.ts';
import { version } from '../version.ts';
import type { CoreServices } from './core-services.ts';
import type { ResourceStack } from './resource-stack.ts';

export interface Tracing {
  readonly tracer: Tracer;
  readonly gauges: readonly GaugeSource[];
}

/** Opens tracing. Returns undefined if no trace receiver is configured. */
export function openTracing({ config, log }: CoreServices, opened: ResourceStack): Tracing | undefined {
  if (config.SHEAF_OTLP_URL === undefined) return undefined;
  const resource = {
    'service.name': 'sheaf',
    'service.version': version,
    'service.instance.id': `${hostname()}:${process.pid}`,
  };
  const headers = parseHeaders(config.SHEAF_OTLP_HEADERS);
  const exporter = new OtlpExporter({ url: config.SHEAF_OTLP_URL, headers, resource, log });
  opened.add('the traces', exporter, () => exporter.close());
  const help = 'Spans of traces that did not reach the receiver.';
  return {
    tracer: new Tracer(exporter),
    gauges: [{ name: 'sheaf_trace_spans_dropped', help, read: () => exporter.dropped }],
  };
}

/*
 * The functions below replace methods of objects that were just created. Without tracing these functions are not
 * called, so the original methods run unchanged.
 */

export function traceWrites(tracer: Tracer, database: Database): void {
  const write = database.write.bind(database) as (...args: unknown[]) => Promise<unknown>;
  const attributes = { 'db.system': database.dialect.name === 'postgres' ? 'postgresql' : 'sqlite' };
  const traced = (...args: unknown[]): Promise<unknown> =>
    tracer.run(tracer.start('database write', 'client', { ...attributes }), () => write(...args));
  database.write = traced as Database['write'];
}

/**
 * Records one span per append to a document, not per edit, because concurrent edits of a document are appended
 * together.
 */
export function traceRounds(tracer: Tracer, sheets: SheetStore): void {
  const append = sheets.append.bind(sheets);
  sheets.append = (...args) => {
    const [id, entries] = args;
    const attributes = { 'sheaf.document': id, 'sheaf.revisions': entries.length };
    return tracer.run(tracer.start('document round', 'internal', attributes), () => append(...args));
  };
}

export function traceOperations(tracer: Tracer, invoker: Invoker): void {
  const invoke = invoker.invoke.bind(invoker);
  invoker.invoke = async (entry, raw, call): Promise<Answer> => {
    const attributes: Record<string, string | number> = {
      'sheaf.operation': entry.name,
      'sheaf.request': call.requestId,
      'enduser.id': call.caller.userId,
      ...(call.client === undefined ? {} : { 'sheaf.client': call.client }),
    };
    const span = tracer.start(entry.name, 'internal', attributes, parseTraceparent(call.trace));
    // Pass the trace id to the call. The call logs it, so that log entries can be matched with traces.
    const answer = await tracer.inside(span, () => invoke(entry, raw, { ...call, trace: span.traceparent }));
    attributes['sheaf.code'] = answer.code;
    tracer.end(span, answer.word === 'internal' || answer.word === 'busy');
    return answer;
  };
}
