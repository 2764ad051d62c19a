import type { Duplex } from 'node:stream';
import { failureBody } from './answer.ts';

interface ParserError extends Error {
  code?: string;
  /** The parser's description of the error. */
  reason?: string;
}

/** Answers input that is not valid HTTP with an error in the usual format, if the socket still allows. */
export function rejectMalformedRequest(error: ParserError, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const [status, title, msg] = describeParserError(error);
  const body = JSON.stringify(failureBody(status, msg));
  if (socket.writable)
    socket.write(
      `HTTP/1.1 ${status} ${title}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ` +
        `${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
    );
  socket.destroy(error);
}

function describeParserError({ code, reason }: ParserError): [status: number, title: string, message: string] {
  if (code === 'HPE_HEADER_OVERFLOW')
    return [431, 'Request Header Fields Too Large', 'the request headers are larger than 16384 bytes'];
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return [408, 'Request Timeout', 'the request headers did not arrive in time'];
  return [400, 'Bad Request', `the request is not valid HTTP: ${reason ?? 'it is incomplete'}`];
}
