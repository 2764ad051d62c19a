import { SheafError } from '@sheaf/client';
import { asUnreachable } from '../lib/unreachable-error.ts';

interface ResponseEnvelope {
  code: number;
  msg: string;
  data: unknown;
  trace_id?: string;
}

/** Error codes with which each API module reports that a public link never existed, was revoked or has expired. */
const linkNotFoundCodes = { sheet: 310_004, note: 210_034, wiki: 110_030 } as const;

export function isLinkInvalid(error: unknown): boolean {
  return (
    error instanceof SheafError &&
    (Object.values<number>(linkNotFoundCodes).includes(error.code) || error.status === 401)
  );
}

/**
 * Calls a read operation with the secret of a public link. Sends no session cookie, so that a signed-in user sees the
 * same as any visitor. Throws if the server returns an error.
 */
export async function callWithLink<Answer>(
  secret: string,
  read: string,
  input: Record<string, unknown>,
  signal?: AbortSignal,
  module: keyof typeof linkNotFoundCodes = 'sheet',
): Promise<Answer> {
  const response = await asUnreachable(
    fetch(`/public/${module}/v1/${read}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-sheaf-link': secret },
      body: JSON.stringify(input),
      credentials: 'omit',
      signal,
    }),
    signal,
  );
  const told = (await response.json()) as ResponseEnvelope;
  if (told.code !== 0) throw new SheafError(told.code, told.msg, response.status, told.trace_id ?? '');
  return told.data as Answer;
}
