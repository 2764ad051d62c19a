import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { ConnectionLimits } from './connection-limits.ts';
import { IncomingRequest } from './incoming-request.ts';
import type { Tracer } from '../../kernel/tracer.ts';
import type { OperationsHandler } from './operations-handler.ts';
import { traceRequest } from './request-span.ts';

type Response = ServerResponse<IncomingRequest>;

/**
 * Time in milliseconds for which idle connections stay open. It is longer than the keep-alive time of load balancers,
 * so that they do not send a request on a connection that is being closed.
 */
const keepAliveMs = 72_000;

interface ServerHandlers {
  readonly operations: OperationsHandler;
  readonly takenByStorage: (request: IncomingRequest, response: Response) => boolean;
  readonly connections: ConnectionLimits;
  /** Records traces of requests; undefined if no trace receiver is configured. */
  readonly tracer: Tracer | undefined;
}

/**
 * Creates Node's HTTP server. A request for an API operation goes to `operations`, a request for the S3-compatible
 * storage endpoint to `takenByStorage`, and any other request to Fastify (`rest`).
 */
export function createNodeServer(
  { operations, takenByStorage, connections, tracer }: ServerHandlers,
  rest: RequestListener,
): Server {
  const take = (request: IncomingRequest, response: Response): boolean => {
    request.url = withoutOrigin(request.url!);
    connections.onRequest(request);
    return operations.handle(request, response);
  };
  const handleRest = (request: IncomingRequest, response: Response): void => {
    if (!takenByStorage(request, response)) rest(request, response);
  };
  const handle = (request: IncomingRequest, response: Response): void => {
    if (!take(request, response)) handleRest(request, response);
  };
  const server = createServer(
    { IncomingMessage: IncomingRequest },
    tracer === undefined
      ? handle
      : (request, response) => traceRequest(tracer, request, response, () => handle(request, response)),
  );
  server.keepAliveTimeout = keepAliveMs;
  // Disable Node's request timeout, because a large upload may take hours. Stalled requests are ended by
  // ConnectionLimits and by the endpoints that receive uploads.
  server.requestTimeout = 0;
  server.on('connection', (socket) => connections.onConnection(socket));
  // Requests with `Expect: 100-continue` wait for a Continue response before they send the body. The API operations,
  // which `take` handles, send it themselves after authenticating the caller.
  server.on('checkContinue', (request: IncomingRequest, response: Response) => {
    if (take(request, response)) return;
    response.writeContinue();
    handleRest(request, response);
  });
  server.on('checkExpectation', (request: IncomingRequest, response: Response) => {
    const answer = {
      code: 417,
      msg: `expect: only 100-continue is supported (got ${JSON.stringify(request.headers.expect?.slice(0, 100))})`,
      data: {},
    };
    response.writeHead(417, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(answer));
  });
  return server;
}

/** Reduces an absolute URL to its path. Some proxies send absolute URLs as the request target. */
function withoutOrigin(url: string): string {
  return url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*(?=[/?]|$)/i, '') || '/';
}
