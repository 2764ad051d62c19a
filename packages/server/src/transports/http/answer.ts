import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { Failure } from '../../kernel/errors.ts';
import type { Answer } from '../../kernel/invoker.ts';
import { RawJson } from '../../kernel/raw-json.ts';

export function statusOf(answer: Answer): number {
  if (answer.scope !== undefined) return 403;
  switch (answer.word) {
    case 'unauthenticated':
      return 401;
    case 'rate_limited':
      return 429;
    case 'unknown_operation':
      return 404;
    case 'internal':
      return 500;
    default:
      return 200;
  }
}

/**
 * Refusal of the HTTP request itself, for example because of its origin, size or content type. Its HTTP status is
 * always sent; other failures may be answered with status 200 and an error code in the body.
 */
export class HttpFailure extends Failure {
  readonly status: number;

  constructor(status: number, word: string, message: string, retryAfter?: number) {
    super(word, message, { retryAfter });
    this.status = status;
  }
}

export function errorStatus(answer: Answer, error: unknown): number {
  return error instanceof HttpFailure ? error.status : statusOf(answer);
}

const before = '{"code":0,"msg":"success","data":';
const bytesBefore = Buffer.from(before);
const bytesAfter = Buffer.from('}');

export function bodyOf({ code, msg, data }: Answer, requestId: string): string | Buffer {
  if (data instanceof RawJson) return Buffer.concat([bytesBefore, data.bytes, bytesAfter]);
  return code === 0 ? `${before}${JSON.stringify(data)}}` : JSON.stringify(failureBody(code, msg, requestId, data));
}

/**
 * Builds the body of an error answer. The fields `error` and `trace_id` repeat `msg` and the request id for clients of
 * older services, which expect these fields.
 */
export function failureBody(code: number, msg: string, requestId?: string, data: object = {}): object {
  return { code, msg, data, error: msg, ...(requestId === undefined ? {} : { trace_id: requestId }) };
}

/**
 * Builds a complete HTTP response as text, to be written directly to a socket. It is for refused connections and for
 * input that is not valid HTTP, for which Node creates no response object.
 */
export function rawFailure(status: string, code: number, msg: string, headers = ''): string {
  const body = JSON.stringify(failureBody(code, msg));
  return (
    `HTTP/1.1 ${status}\r\ncontent-type: application/json; charset=utf-8\r\n${headers}content-length: ` +
    `${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`
  );
}

/**
 * Length in characters above which a text is encoded to bytes before it is sent. Node would scan a text twice: to
 * compute its byte length and to encode it.
 */
const longText = 16 * 1024;

/**
 * Writes an answer to the response. If `isLast` is true, the connection is closed after it. The headers are a flat
 * array, because Node writes such an array without conversion.
 */
export function writeAnswer(
  response: ServerResponse,
  requestId: string,
  status: number,
  answer: Answer,
  isLast: boolean,
): void {
  const text = bodyOf(answer, requestId);
  const body = typeof text === 'string' && text.length > longText ? Buffer.from(text) : text;
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  const headers = [
    'x-request-id',
    requestId,
    'x-content-type-options',
    'nosniff',
    'content-type',
    'application/json; charset=utf-8',
    'content-length',
    String(length),
  ];
  if (answer.retryAfter !== undefined) headers.push('retry-after', String(answer.retryAfter));
  if (answer.version !== undefined) headers.push('x-sheaf-version', String(answer.version));
  if (answer.notice !== undefined) headers.push('x-sheaf-notice', toAscii(answer.notice));
  if (isLast) headers.push('connection', 'close');
  response.writeHead(status, headers);
  response.end(body);
}

/** Replaces characters that an HTTP header cannot contain by `\uXXXX` escapes, as in JSON. */
function toAscii(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export function sendAnswer(reply: FastifyReply, status: number, answer: Answer): FastifyReply {
  if (answer.retryAfter !== undefined) reply.header('retry-after', String(answer.retryAfter));
  return reply.code(status).type('application/json; charset=utf-8').send(bodyOf(answer, reply.request.id));
}
