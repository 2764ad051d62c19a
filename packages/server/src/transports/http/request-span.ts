import type { ServerResponse } from 'node:http';
import { parseTraceparent, type Tracer } from '../../kernel/tracer.ts';
import type { IncomingRequest } from './incoming-request.ts';

/**
 * Matches paths that consist only of plain lower-case names and are recorded in traces. Other paths may contain
 * confidential parts, such as names of files, so only the beginning of their first segment is recorded.
 */
const plainPath = /^\/(?:openapi(?:\/[a-z][a-z0-9_]*){0,3}|mcp|healthz|readyz|metrics|docs)\/?$/;

/** Handles a request inside a tracing span, which ends when the response is closed. */
export function traceRequest(
  tracer: Tracer,
  request: IncomingRequest,
  response: ServerResponse<IncomingRequest>,
  handle: () => void,
): void {
  const path = request.url!.split('?', 1)[0]!;
  const route = plainPath.test(path) ? path : `/${/^\/([a-z-]*)/.exec(path)?.[1] ?? ''}`;
  const attributes: Record<string, string | number> = {
    'http.request.method': request.method ?? '',
    'url.path': route,
  };
  const parent = parseTraceparent(request.headers['traceparent']);
  const span = tracer.start(`${request.method} ${route}`, 'server', attributes, parent);
  response.once('close', () => {
    attributes['http.response.status_code'] = response.statusCode;
    tracer.end(span, response.statusCode >= 500 || !response.writableFinished);
  });
  tracer.inside(span, handle);
}
