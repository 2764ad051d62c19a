/**
 * TCP proxy on 127.0.0.1 that simulates network failures. While cut, it refuses and breaks connections. While silent,
 * it keeps connections open but forwards nothing in one or both directions. `mend` delivers the data held back.
 */
import { connect, createServer, type Server, type Socket } from 'node:net';

export type Outage = 'cut' | 'silent' | 'answers lost';

/**
 * Time in milliseconds for which the database can complete a commit before its connection is broken (see
 * `loseCommitOf`).
 */
const commitMs = 500;

interface Target {
  host: string;
  port: number;
}

class Direction {
  readonly #to: Socket;
  readonly #held: Buffer[] = [];
  #isEnded = false;
  isSilent = false;

  constructor(from: Socket, to: Socket) {
    this.#to = to;
    from.on('data', (chunk: Buffer) => {
      if (this.isSilent) this.#held.push(chunk);
      else to.write(chunk);
    });
    from.on('close', () => {
      this.#isEnded = true;
      if (!this.isSilent) to.destroySoon();
    });
  }

  release(): void {
    this.isSilent = false;
    for (const chunk of this.#held.splice(0)) this.#to.write(chunk);
    if (this.#isEnded) this.#to.destroySoon();
  }
}

export class NetworkLink {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #directions = new Set<{ questions: Direction; answers: Direction }>();
  #target: Target;
  #outage: Outage | undefined;
  #lost: string | undefined;

  private constructor(target: Target) {
    this.#target = target;
    this.#server = createServer((socket) => this.#accept(socket));
  }

  static async to(url: string): Promise<NetworkLink> {
    const link = new NetworkLink(targetOf(url));
    await new Promise<void>((resolve) => link.#server.listen(0, '127.0.0.1', resolve));
    return link;
  }

  get port(): number {
    return (this.#server.address() as { port: number }).port;
  }

  /** Returns `url` with the host and port of this proxy, for a client that should connect through it. */
  through(url: string): string {
    const own = new URL(url);
    own.hostname = '127.0.0.1';
    own.port = String(this.port);
    return own.href.replace(/\/$/, '');
  }

  /** Sets the server to which new connections are forwarded. Existing connections are not changed. */
  aim(url: string): void {
    this.#target = targetOf(url);
  }

  fail(outage: Outage): void {
    this.#outage = outage;
    if (outage === 'cut') this.breakConnections();
    for (const { questions, answers } of this.#directions) {
      questions.isSilent = outage === 'silent';
      answers.isSilent = true;
    }
  }

  /**
   * Lets the next database transaction that contains `text` commit, then breaks its connection, so that the client does
   * not get the response to its commit.
   */
  loseCommitOf(text: string): void {
    this.#lost = text;
  }

  breakConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Ends an outage: delivers the data held back, and closes connections that one side closed meanwhile. */
  mend(): void {
    this.#outage = undefined;
    for (const { questions, answers } of this.#directions) {
      questions.release();
      answers.release();
    }
  }

  close(): Promise<void> {
    this.breakConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  #accept(near: Socket): void {
    if (this.#outage === 'cut') {
      near.resetAndDestroy();
      return;
    }
    const far = connect(this.#target.port, this.#target.host);
    const both = { questions: new Direction(near, far), answers: new Direction(far, near) };
    both.questions.isSilent = this.#outage === 'silent';
    both.answers.isSilent = this.#outage !== undefined;
    this.#directions.add(both);
    let isFound = false;
    near.on('data', (chunk: Buffer) => {
      isFound ||= this.#lost !== undefined && chunk.includes(this.#lost);
      if (!isFound || !chunk.includes('COMMIT\0')) return;
      isFound = false;
      this.#lost = undefined;
      both.answers.isSilent = true;
      setTimeout(() => near.destroy(), commitMs);
    });
    for (const socket of [near, far]) {
      socket.setNoDelay(true);
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        if (near.destroyed && far.destroyed) this.#directions.delete(both);
      });
    }
  }
}

function targetOf(url: string): Target {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port) };
}
