import { maxHeaderSize } from 'node:http';
import type { Duplex } from 'node:stream';
import { rawFailure } from './answer.ts';

interface ParserError extends Error {
  code?: string;
  reason?: string;
}

/**
 * Answers input that is not valid HTTP with an error in the JSON format of the API, if the socket is still writable.
 * Then closes the socket.
 */
export function rejectMalformedRequest(error: ParserError, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const [status, title, msg] = describeParserError(error);
  if (socket.writable) socket.write(rawFailure(`${status} ${title}`, status, msg));
  socket.destroy(error);
}

function describeParserError({ code, reason }: ParserError): [status: number, title: string, message: string] {
  if (code === 'HPE_HEADER_OVERFLOW')
    return [431, 'Request Header Fields Too Large', `the request headers are larger than ${maxHeaderSize} bytes`];
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return [408, 'Request Timeout', 'the request headers did not arrive in time'];
  return [400, 'Bad Request', `the request is not valid HTTP: ${reason ?? 'it is incomplete'}`];
}
