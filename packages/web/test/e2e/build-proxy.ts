import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface Build {
  readonly id: string;
  readonly shell: string;
  readonly files: readonly string[];
}

/** Ending that the second build adds to the name of each file. */
const mark = '-v2';

/**
 * An HTTP proxy in front of the server, which can be cut like a line, and which can serve a second build: the same code
 * under other file names. The files of the first build are then gone.
 */
export class BuildProxy {
  readonly first: Build;
  /** A file that the second build lacks, as if the server had been replaced while it was loaded. */
  missing: string | undefined;
  readonly #target: URL;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #firstFiles: ReadonlySet<string>;
  readonly #names: RegExp;
  #isSecond = false;
  #isCut = false;

  private constructor(target: string, first: Build) {
    this.first = first;
    this.#target = new URL(target);
    this.#firstFiles = new Set([first.shell, ...first.files]);
    const names = [...this.#firstFiles].map((path) => path.slice('/assets/'.length));
    this.#names = new RegExp(names.map((name) => name.replaceAll('.', String.raw`\.`)).join('|'), 'g');
    this.#server = createServer((asked, answer) => this.#forward(asked, answer));
    this.#server.on('connection', (socket) => {
      if (this.#isCut) return void socket.destroy();
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  static async to(target: string): Promise<BuildProxy> {
    const worker = await (await fetch(`${target}/service-worker.js`)).text();
    const build = JSON.parse(/^self\.sheafBuild=(\{.*\});$/m.exec(worker)![1]!) as Build;
    const proxy = new BuildProxy(target, build);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as { port: number }).port}`;
  }

  /** Serves the second build from now on. */
  upgrade(): void {
    this.#isSecond = true;
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  mend(): void {
    this.#isCut = false;
  }

  close(): void {
    this.cut();
    this.#server.close();
  }

  #forward(asked: IncomingMessage, answer: ServerResponse): void {
    const url = asked.url!;
    if (this.#isSecond && (this.#firstFiles.has(url) || url === this.missing)) {
      answer.writeHead(404).end();
      return;
    }
    const { hostname, port } = this.#target;
    const headers = { ...asked.headers };
    if (this.#isSecond) headers['accept-encoding'] = 'identity';
    const path = this.#isSecond ? url.replace(mark, '') : url;
    const sent = request({ hostname, port, path, method: asked.method, headers }, (response) => {
      response.on('error', () => answer.destroy());
      const isText = /html|javascript|css/.test(response.headers['content-type'] ?? '');
      if (this.#isSecond && isText) this.#rename(response, answer).catch(() => answer.destroy());
      else {
        answer.writeHead(response.statusCode!, response.headers);
        response.pipe(answer);
      }
    });
    sent.on('error', () => answer.destroy());
    answer.on('close', () => sent.destroy());
    asked.pipe(sent);
  }

  async #rename(response: IncomingMessage, answer: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
    const text = Buffer.concat(chunks)
      .toString()
      .replaceAll(this.#names, (name) => name.replace(/\.\w+$/, (ending) => mark + ending))
      .replace(`"id":"${this.first.id}"`, `"id":"${this.first.id}${mark}"`);
    const { 'content-length': _length, etag: _tag, ...headers } = response.headers;
    answer.writeHead(response.statusCode!, headers).end(text);
  }
}

/** Returns the path under which the second build serves a file of the first. */
export function secondName(path: string): string {
  return path.replace(/\.\w+$/, (ending) => mark + ending);
}
