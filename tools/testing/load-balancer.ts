/**
 * HTTP load balancer for tests with several server nodes, a simplified version of deploy/Caddyfile. It sends requests
 * to nodes that are ready according to /readyz. If a node refuses the connection, it tries the next. If a connection
 * breaks before the response, it responds with 502.
 */
import { Agent, createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

const probeEveryMs = 250;
const probeTimeoutMs = 2_000;

interface Upstream {
  readonly url: string;
  isReady: boolean;
}

export class LoadBalancer {
  readonly #server: Server;
  readonly #agent = new Agent({ keepAlive: true });
  #upstreams: Upstream[] = [];
  #turn = 0;
  #timer: NodeJS.Timeout | undefined;

  private constructor() {
    this.#server = createServer((incoming, answer) => this.#pass(incoming, answer));
  }

  static async start(): Promise<LoadBalancer> {
    const balancer = new LoadBalancer();
    await new Promise<void>((resolve) => balancer.#server.listen(0, '127.0.0.1', resolve));
    balancer.#timer = setInterval(() => balancer.#look(), probeEveryMs);
    return balancer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as { port: number }).port}`;
  }

  /** Adds a server node, which receives requests as soon as it is ready. */
  add(url: string): void {
    this.#upstreams.push({ url, isReady: false });
    this.#look();
  }

  remove(url: string): void {
    this.#upstreams = this.#upstreams.filter((one) => one.url !== url);
  }

  get ready(): readonly string[] {
    return this.#upstreams.filter(({ isReady }) => isReady).map(({ url }) => url);
  }

  close(): Promise<void> {
    clearInterval(this.#timer);
    this.#agent.destroy();
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  #look(): void {
    for (const upstream of this.#upstreams) {
      fetch(`${upstream.url}/readyz`, { signal: AbortSignal.timeout(probeTimeoutMs) }).then(
        (response) => (upstream.isReady = response.ok),
        () => (upstream.isReady = false),
      );
    }
  }

  #pass(incoming: IncomingMessage, answer: ServerResponse): void {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('error', () => answer.destroy());
    incoming.on('end', () => this.#try(incoming, answer, Buffer.concat(chunks), new Set()));
  }

  #try(incoming: IncomingMessage, answer: ServerResponse, body: Buffer, tried: Set<string>): void {
    const choice = this.#upstreams.filter(({ url, isReady }) => isReady && !tried.has(url));
    const upstream = choice[this.#turn++ % Math.max(1, choice.length)];
    if (!upstream)
      return void answer.writeHead(503, { 'retry-after': '1' }).end('{"code":-1,"msg":"no node is ready"}');
    const sent = request(
      new URL(incoming.url ?? '/', upstream.url),
      { method: incoming.method, headers: incoming.headers, agent: this.#agent },
      (response) => {
        answer.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(answer);
        response.on('error', () => answer.destroy());
      },
    );
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (answer.headersSent) return void answer.destroy();
      if (error.code !== 'ECONNREFUSED')
        return void answer.writeHead(502).end('{"code":-1,"msg":"the node broke off"}');
      tried.add(upstream.url);
      this.#try(incoming, answer, body, tried);
    });
    sent.end(body);
  }
}
