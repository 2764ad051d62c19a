/**
 * Connection pooler for tests, in transaction mode like PgBouncer: many clients share a few server connections, each
 * lent to a client for one transaction. It is used on machines without PgBouncer and implements only the necessary part
 * of the protocol. With SHEAF_TEST_PGBOUNCER, PgBouncer itself is used (`npm run drill -- servers`).
 */
import { connect, createServer, type Server, type Socket } from 'node:net';
import { startPgBouncer } from './pgbouncer.ts';

const startup = 0;

/** Splits a byte stream into PostgreSQL protocol messages. A client's first message has no type byte. */
class Messages {
  #rest = Buffer.alloc(0);
  #isFirst: boolean;

  constructor(isFirst: boolean) {
    this.#isFirst = isFirst;
  }

  *read(chunk: Buffer): Generator<{ type: number; bytes: Buffer }> {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    for (;;) {
      const head = this.#isFirst ? 0 : 1;
      if (this.#rest.length < head + 4) return;
      const length = head + this.#rest.readInt32BE(head);
      if (this.#rest.length < length) return;
      const bytes = this.#rest.subarray(0, length);
      this.#rest = this.#rest.subarray(length);
      yield { type: this.#isFirst ? startup : bytes[0]!, bytes };
      this.#isFirst = false;
    }
  }
}

const letter = (text: string): number => text.charCodeAt(0);
/** Message types that the server answers with ReadyForQuery. */
const queryMessages = new Set([letter('Q'), letter('S')]);
const refused = /statement_timeout|lock_timeout|idle_in_transaction|options\0/;

interface Upstream {
  readonly socket: Socket;
  client?: Client;
}

interface Client {
  readonly socket: Socket;
  readonly waiting: Buffer[];
  upstream?: Upstream;
  /** Number of Query and Sync messages that the server has not yet answered with ReadyForQuery. */
  open: number;
}

export interface Pooler {
  readonly url: string;
  /**
   * SQL received from clients that would change session state, which is an error with transaction pooling. Always empty
   * with the real PgBouncer, which does not report such SQL.
   */
  readonly sessionState: readonly string[];
  close(): Promise<void>;
}

/**
 * Patterns of SQL that changes session state, which a pooler in transaction mode would lose: session locks, settings,
 * temporary tables, LISTEN and the like.
 */
const sessionStatePatterns = [
  /\bpg_(?:try_)?advisory_lock/i,
  /\b(?:UN)?LISTEN\b/i,
  /\bPREPARE\b/i,
  /\bWITH HOLD\b/i,
  /\bTEMP(?:ORARY)?\s/i,
  /\bSET\s+(?:SESSION\s+)?\w+\s*(?:=|\bTO\b)/i,
  /\bset_config\([^)]*false\)/i,
];
/**
 * Returns whether any statement in the SQL text changes session state. Statements that begin with INSERT, UPDATE or
 * WITH are skipped, because the SET of an UPDATE is not a setting.
 */
const changesSession = (sql: string): boolean =>
  sql
    .split(';')
    .some(
      (statement) =>
        !/^\s*(?:INSERT|UPDATE|WITH)\b/i.test(statement) && sessionStatePatterns.some((rule) => rule.test(statement)),
    );

/**
 * Describes the session state that a message would leave behind: a named prepared statement, or SQL that changes the
 * session. Returns undefined if there is none.
 */
function sessionStateIn(type: number, bytes: Buffer): string | undefined {
  if (type !== letter('P') && type !== letter('Q')) return undefined;
  const [first = '', second = ''] = bytes.subarray(5).toString('utf8').split('\0');
  if (type === letter('P') && first !== '') return `the statement ${JSON.stringify(first)}: ${second}`;
  const sql = type === letter('P') ? second : first;
  return changesSession(sql) ? sql : undefined;
}

export async function startPooler(url: string, connections = 2): Promise<Pooler> {
  const real = process.env['SHEAF_TEST_PGBOUNCER'];
  if (real !== undefined) return startPgBouncer(real, url, connections);
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const free: Upstream[] = [];
  const queue: Client[] = [];
  const sessionState: string[] = [];
  let parameters = Buffer.alloc(0);

  const openUpstream = (): Promise<Upstream> =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(target.port), target.hostname);
      sockets.add(socket);
      socket.on('error', reject);
      const upstream: Upstream = { socket };
      const messages = new Messages(false);
      let told = Buffer.alloc(0);
      let isReady = false;
      const fields = ['user', decodeURIComponent(target.username), 'database', target.pathname.slice(1)];
      const text = Buffer.from(`${fields.join('\0')}\0\0`);
      const hello = Buffer.alloc(8);
      hello.writeInt32BE(text.length + 8, 0);
      hello.writeInt32BE(196_608, 4);
      socket.write(Buffer.concat([hello, text]));
      socket.on('data', (chunk: Buffer) => {
        for (const { type, bytes } of messages.read(chunk)) {
          if (!isReady) {
            if (type === letter('S')) told = Buffer.concat([told, bytes]);
            if (type !== letter('Z')) continue;
            isReady = true;
            parameters = told;
            resolve(upstream);
            continue;
          }
          const { client } = upstream;
          client?.socket.write(bytes);
          if (type !== letter('Z') || !client) continue;
          client.open -= 1;
          // 'I' means that the session is idle, with no open transaction.
          if (bytes[5] === letter('I') && client.open === 0) release(upstream);
        }
      });
    });

  const release = (upstream: Upstream): void => {
    if (upstream.client) delete upstream.client.upstream;
    delete upstream.client;
    // Append the connection at the end, so that the connection that has been idle the longest is used next. A client
    // then seldom gets the same connection twice, so a test fails if the server's code relies on session state.
    free.push(upstream);
    lend();
  };
  const lend = (): void => {
    while (free.length > 0 && queue.length > 0) {
      const client = queue.shift()!;
      const upstream = free.shift()!;
      upstream.client = client;
      client.upstream = upstream;
      for (const bytes of client.waiting.splice(0)) upstream.socket.write(bytes);
    }
  };

  for (let index = 0; index < connections; index++) free.push(await openUpstream());
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    const client: Client = { socket, waiting: [], open: 0 };
    const messages = new Messages(true);
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      for (const { type, bytes } of messages.read(chunk)) {
        if (type === startup) socket.write(welcome(bytes, parameters));
        else if (type === letter('X')) socket.end();
        else {
          const left = sessionStateIn(type, bytes);
          if (left !== undefined) sessionState.push(left);
          if (queryMessages.has(type)) client.open += 1;
          if (client.upstream) client.upstream.socket.write(bytes);
          else {
            client.waiting.push(Buffer.from(bytes));
            if (client.waiting.length === 1) queue.push(client);
            lend();
          }
        }
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const own = new URL(url);
  own.port = String(port);
  return {
    url: own.href,
    sessionState,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/**
 * Returns the response to a startup message: AuthenticationOk, the server's parameters, a dummy process id and
 * ReadyForQuery. For parameters that PgBouncer rejects, returns its error.
 */
function welcome(hello: Buffer, parameters: Buffer): Buffer {
  const unknown = refused.exec(hello.toString('latin1'));
  if (unknown) return errorMessage(`unsupported startup parameter: ${unknown[0].replace('\0', '')}`);
  const ok = Buffer.from([letter('R'), 0, 0, 0, 8, 0, 0, 0, 0]);
  const key = Buffer.from([letter('K'), 0, 0, 0, 12, 0x7f, 1, 2, 3, 4, 5, 6, 7]);
  const ready = Buffer.from([letter('Z'), 0, 0, 0, 5, letter('I')]);
  return Buffer.concat([ok, parameters, key, ready]);
}

function errorMessage(text: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C08P01\0M${text}\0\0`);
  const head = Buffer.alloc(5);
  head[0] = letter('E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
