import type { Logger } from '../../lib/logger.ts';

export interface JsonRpcMessage {
  jsonrpc?: string;
  id?: string | number | null;
  method?: string;
  params?: Record<string, unknown>;
}

export const rpcErrorCodes = {
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  /** MCP error code in protocol versions until 2025-11-25. Later versions use invalidParams. */
  resourceNotFound: -32002,
  /**
   * MCP error code for an exceeded rate limit in protocol versions until 2025-11-25. For later versions, the code is
   * taken from the server's error table.
   */
  rateLimited: -32000,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
};

interface RpcErrorOptions {
  readonly data?: unknown;
  readonly status?: number;
}

export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;
  readonly status: number | undefined;
  constructor(code: number, message: string, { data, status }: RpcErrorOptions = {}) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.data = data;
    this.status = status;
  }
}

/**
 * Returns whether an error is an RpcError. Compares the name instead of the class, because a program that embeds the
 * server may contain its own copy of the class.
 */
export function isRpcError(error: unknown): error is RpcError {
  return error instanceof Error && error.name === 'RpcError';
}

export function errorResponse(
  id: string | number | null | undefined,
  { code, message, data }: { code: number; message: string; data?: unknown },
): unknown {
  return { jsonrpc: '2.0', id: id ?? null, error: data === undefined ? { code, message } : { code, message, data } };
}

/** Logs a server fault. Returns an error for the client that contains no details of the fault. */
export function internalError(log: Logger, requestId: string, error: unknown): { code: number; message: string } {
  log.error({ requestId, err: error }, 'fault');
  return {
    code: rpcErrorCodes.internal,
    message: `internal error; the server log has details under request id ${requestId}`,
  };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
