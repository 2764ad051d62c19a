import { SheafError } from '@sheaf/client';
import { reaching } from '../lib/unreachable.ts';

interface Told {
  code: number;
  msg: string;
  data: unknown;
  trace_id?: string;
}

/** The server's error code for a public link that never existed, was revoked or has expired. */
const noSuchLink = 310_004;

export function isEnded(error: unknown): boolean {
  return error instanceof SheafError && (error.code === noSuchLink || error.status === 401);
}

/** Reads with a public link and without the session, so that a signed-in user sees no more than anyone else. */
export async function askWith<Answer>(
  secret: string,
  read: string,
  input: Record<string, unknown>,
  signal?: AbortSignal,
): Promise<Answer> {
  const response = await reaching(
    fetch(`/public/sheet/v1/${read}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-sheaf-link': secret },
      body: JSON.stringify(input),
      credentials: 'omit',
      signal,
    }),
    signal,
  );
  const told = (await response.json()) as Told;
  if (told.code !== 0) throw new SheafError(told.code, told.msg, response.status, told.trace_id ?? '');
  return told.data as Answer;
}
