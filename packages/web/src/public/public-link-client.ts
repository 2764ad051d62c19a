import { SheafError } from '@sheaf/client';
import { asUnreachable } from '../lib/unreachable-error.ts';

interface ResponseEnvelope {
  code: number;
  msg: string;
  data: unknown;
  trace_id?: string;
}

/** Error codes of the server for a public link that never existed, was revoked or has expired, by module. */
const linkNotFoundCodes = { sheet: 310_004, note: 210_034, wiki: 110_030 } as const;

export function isLinkInvalid(error: unknown): boolean {
  return (
    error instanceof SheafError &&
    (Object.values<number>(linkNotFoundCodes).includes(error.code) || error.status === 401)
  );
}

/**
 * Sends a read request with the secret of a public link and without the session cookie, so that a signed-in user sees
 * the same as any visitor.
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
