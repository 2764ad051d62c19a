import { formatValue } from '../../kernel/parse-input.ts';
import { rpcErrorCodes, isObject, RpcError } from './json-rpc.ts';

/** Newest supported version of the MCP protocol. */
export const latestVersion = '2026-07-28';
/** Older protocol versions, in which clients begin with a handshake. This server does not require the handshake. */
export const legacyVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
/** Older protocol versions that support resource links. */
const linkingVersions: ReadonlySet<string> = new Set(['2025-11-25', '2025-06-18']);
export const protocolVersions = [latestVersion, ...legacyVersions];

/** Names of fields in `_meta` that the MCP protocol reserves. */
export const metaKeys = {
  version: 'io.modelcontextprotocol/protocolVersion',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  client: 'io.modelcontextprotocol/clientInfo',
  server: 'io.modelcontextprotocol/serverInfo',
  subscription: 'io.modelcontextprotocol/subscriptionId',
  logLevel: 'io.modelcontextprotocol/logLevel',
};

export interface MirroredHeaders {
  readonly version: string | undefined;
  readonly method: string | undefined;
  readonly name: string | undefined;
}

export interface RequestMeta {
  /**
   * True if the protocol version is 2026-07-28 or later. Clients then send no handshake, and results contain
   * `resultType`.
   */
  readonly modern: boolean;
  /** Whether results may contain resource links, which MCP has since protocol version 2025-06-18. */
  readonly takesLinks: boolean;
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** Name and version that the client reports, as `name/version`. */
  readonly client?: string;
  readonly progressToken?: string | number;
  readonly logLevel?: string;
  readonly trace?: string;
}

const modernMethods = new Set(['server/discover', 'subscriptions/listen']);
/** Maps each MCP method to the field in `params` that the HTTP header `Mcp-Name` must repeat. */
export const mirroredNames: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};
const traceParent = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
const maxClientLength = 100;

/**
 * Reads version, capabilities and client information from a message. Throws an RpcError if they are malformed, if the
 * version is not supported, or if the headers contradict the message. `headers` is undefined on transports without
 * headers, such as stdio.
 */
export function readRequestMeta(
  method: string,
  params: Readonly<Record<string, unknown>>,
  headers: MirroredHeaders | undefined,
): RequestMeta {
  const meta = isObject(params['_meta']) ? params['_meta'] : {};
  const told = readClientMeta(meta);
  const version = meta[metaKeys.version];
  const isModern =
    version === undefined
      ? headers?.version === latestVersion || modernMethods.has(method)
      : !legacyVersions.includes(version as string) || headers?.version === latestVersion;
  if (!isModern)
    return { modern: false, takesLinks: linkingVersions.has(headers?.version ?? ''), capabilities: {}, ...told };
  if (typeof version !== 'string') throw malformed(metaKeys.version, 'a protocol version', version);
  if (headers) checkVersionHeader(headers.version, version);
  if (version !== latestVersion)
    throw new RpcError(rpcErrorCodes.unsupportedVersion, `unsupported protocol version: ${version.slice(0, 60)}`, {
      data: { supported: protocolVersions, requested: version },
      status: 400,
    });
  const capabilities = meta[metaKeys.capabilities];
  if (!isObject(capabilities)) throw malformed(metaKeys.capabilities, 'an object', capabilities);
  if (headers) checkMirrored(method, params, headers);
  return { modern: true, takesLinks: true, capabilities, ...told };
}

function readClientMeta(
  meta: Readonly<Record<string, unknown>>,
): Omit<RequestMeta, 'modern' | 'takesLinks' | 'capabilities'> {
  const { progressToken, traceparent } = meta;
  const client = meta[metaKeys.client];
  const logLevel = meta[metaKeys.logLevel];
  return {
    ...(isObject(client)
      ? { client: `${String(client['name'])}/${String(client['version'])}`.slice(0, maxClientLength) }
      : {}),
    ...(typeof progressToken === 'string' || Number.isInteger(progressToken)
      ? { progressToken: progressToken as string | number }
      : {}),
    ...(typeof logLevel === 'string' ? { logLevel } : {}),
    ...(typeof traceparent === 'string' && traceParent.test(traceparent) ? { trace: traceparent } : {}),
  };
}

function malformed(name: string, what: string, got: unknown): RpcError {
  return new RpcError(
    rpcErrorCodes.invalidParams,
    `params._meta[${JSON.stringify(name)}]: must be ${what} (got ${formatValue(got)})`,
    {
      status: 400,
    },
  );
}

function checkVersionHeader(header: string | undefined, version: string): void {
  if (header !== version) throw mismatch('MCP-Protocol-Version', header, version);
}

function checkMirrored(
  method: string,
  params: Readonly<Record<string, unknown>>,
  { method: methodHeader, name: nameHeader }: MirroredHeaders,
): void {
  if (methodHeader !== method) throw mismatch('Mcp-Method', methodHeader, method);
  const field = mirroredNames[method];
  const name = field === undefined ? undefined : params[field];
  if (typeof name !== 'string') return;
  if (nameHeader === undefined || decoded(nameHeader) !== name) throw mismatch('Mcp-Name', nameHeader, name);
}

function mismatch(name: string, header: string | undefined, body: string): RpcError {
  const got = header === undefined ? 'is missing' : `is ${formatValue(header)}`;
  return new RpcError(
    rpcErrorCodes.headerMismatch,
    `header mismatch: ${name} ${got}, the body has ${formatValue(body)}`,
    {
      status: 400,
    },
  );
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * Decodes the value of the header `Mcp-Name`, which may be base64 in the form `=?base64?...?=`. Returns undefined if
 * the base64 text is invalid.
 */
function decoded(value: string): string | undefined {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value)?.[1];
  if (encoded === undefined) return value;
  return base64.test(encoded) ? Buffer.from(encoded, 'base64').toString('utf8') : undefined;
}
