import type { Client } from './operations.ts';
import type { CallOptions, ClientOptions } from './options.ts';

export type { CallOptions, Client, ClientOptions };

/**
 * Thrown for an error response of the server. The code is 0 if the response is not JSON. A request that fails without a
 * response throws the error of `fetch` instead.
 */
export class SheafError extends Error {
  readonly code: number;
  readonly status: number;
  readonly requestId: string;
  constructor(code: number, message: string, status: number, requestId: string) {
    super(message);
    this.name = 'SheafError';
    this.code = code;
    this.status = status;
    this.requestId = requestId;
  }
}

export interface RawAnswer {
  status: number;
  code: number;
  msg: string;
  data: Record<string, unknown>;
  requestId: string;
  /**
   * Version number of the written object, from the response header `x-sheaf-version`. Undefined if the server sent
   * none, as after a read or a write that changed nothing.
   */
  version?: number;
}

/**
 * Creates a typed client for all operations, for Node and browsers. It imports only the types of the server's
 * operations, so no server code is bundled. A request path is built from the module and operation names.
 *
 *   const sheaf = createClient({ url, clientId, apiKey });
 *   const me = await sheaf.account.get_me({});
 */
export function createClient(options: ClientOptions): Client {
  return lazyProperties((module) =>
    lazyProperties(
      (operation) => (input: unknown, callOptions?: CallOptions) =>
        callOrThrow(options, module, operation, input, callOptions),
    ),
  ) as Client;
}

/** Returns an object that makes the value of each property at its first use. */
function lazyProperties(make: (name: string) => unknown): object {
  const made = new Map<string, unknown>();
  return new Proxy(
    {},
    {
      get(_target, name) {
        // `then` must be undefined, so that `await` does not treat the object as a promise.
        if (typeof name !== 'string' || name === 'then') return undefined;
        if (!made.has(name)) made.set(name, make(name));
        return made.get(name);
      },
    },
  );
}

async function callOrThrow(
  options: ClientOptions,
  module: string,
  operation: string,
  input: unknown,
  callOptions?: CallOptions,
): Promise<unknown> {
  const answer = await call(options, module, operation, input, callOptions);
  if (answer.code !== 0) throw new SheafError(answer.code, answer.msg, answer.status, answer.requestId);
  return answer.data;
}

/**
 * Sends one operation to the server and returns the complete response: status, code, message and data. It does not
 * throw if the server answers with an error code. Throws SheafError if the response is not JSON.
 */
export async function call(
  options: ClientOptions,
  module: string,
  operation: string,
  input: unknown,
  callOptions: CallOptions = {},
): Promise<RawAnswer> {
  const prefix = options.headerPrefix ?? 'svc-openapi';
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (options.apiKey !== undefined) headers[`${prefix}-apikey`] = options.apiKey;
  if (options.clientId !== undefined) headers[`${prefix}-clientid`] = options.clientId;
  if (callOptions.idempotencyKey !== undefined) headers['idempotency-key'] = callOptions.idempotencyKey;
  const file = fileOf(input);
  // A load balancer can route requests by this header, so that all calls for one spreadsheet reach the server that has
  // it open.
  if (typeof file === 'string' && /^[\w-]{1,128}$/.test(file)) headers['x-sheaf-file'] = file;
  const send = options.fetch ?? fetch;
  const response = await send(`${options.url.replace(/\/$/, '')}/openapi/${module}/v1/${operation}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(
      callOptions.reason === undefined ? (input ?? {}) : { ...(input as object), reason: callOptions.reason },
    ),
    credentials: 'same-origin',
    signal: callOptions.signal,
  });
  const requestId = response.headers.get('x-request-id') ?? '';
  const text = await response.text();
  let envelope: { code?: unknown; msg?: unknown; data?: unknown };
  try {
    envelope = JSON.parse(text) as typeof envelope;
  } catch (_error) {
    throw new SheafError(
      0,
      `the server responded with status ${response.status} and no JSON; is ${options.url} a sheaf server?`,
      response.status,
      requestId,
    );
  }
  return {
    status: response.status,
    code: Number(envelope.code),
    msg: String(envelope.msg),
    data: (envelope.data ?? {}) as Record<string, unknown>,
    requestId,
    ...versionOf(response),
  };
}

/** Returns the `file_id` in an operation's input, or in the first call of a batch; undefined if neither has one. */
function fileOf(input: unknown): unknown {
  const given = input as { file_id?: unknown; calls?: { arguments?: { file_id?: unknown } }[] } | null | undefined;
  return given?.file_id ?? given?.calls?.[0]?.arguments?.file_id;
}

function versionOf(response: Response): { version?: number } {
  const version = response.headers.get('x-sheaf-version');
  return version === null ? {} : { version: Number(version) };
}
