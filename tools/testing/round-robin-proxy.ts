/** HTTP proxy for several server nodes that sends each request to the next node in turn. */
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export class RoundRobinProxy {
  /** URLs of the nodes. Nodes may be added after the proxy has started. */
  readonly nodes: string[] = [];
  readonly #server: Server;
  #turn = 0;

  private constructor() {
    this.#server = createServer((incoming, outgoing) => {
      const { hostname, port } = new URL(this.nodes[this.#turn++ % this.nodes.length]!);
      const { url: path, method, headers } = incoming;
      const to = request({ host: hostname, port, path, method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      to.on('error', () => outgoing.destroy());
      outgoing.on('close', () => to.destroy());
      incoming.pipe(to);
    });
  }

  static async start(): Promise<RoundRobinProxy> {
    const made = new RoundRobinProxy();
    await new Promise<void>((resolve) => made.#server.listen(0, '127.0.0.1', resolve));
    return made;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
