/** A web server on 127.0.0.1 that counts who comes, for tests that nobody does. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Canary {
  readonly url: string;
  readonly port: number;
  readonly requests: { method: string; url: string }[];
  connections(): number;
  /** Sockets that are open now. */
  open(): number;
  close(): Promise<void>;
}

export async function startCanary(
  answer: (request: IncomingMessage, response: ServerResponse) => void = (_request, response) =>
    void response.end('canary'),
): Promise<Canary> {
  const requests: { method: string; url: string }[] = [];
  let connections = 0;
  let open = 0;
  const server = createServer((request, response) => {
    requests.push({ method: request.method!, url: request.url! });
    answer(request, response);
  });
  server.on('connection', (socket) => {
    connections++;
    open++;
    socket.on('close', () => open--);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    connections: () => connections,
    open: () => open,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
