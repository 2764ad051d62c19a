import { fetch as send, type FormData } from 'undici';
import { readLimitedText } from './read-limited-text.ts';

export interface ModelEndpoint {
  /**
   * Full URL, for example `http://127.0.0.1:8000/v1/embeddings`. It may be a private address, because the operator
   * configured it.
   */
  url: string;
  key: string | undefined;
  model: string;
}

/** Posts a request to a model's API. The returned body is undefined if it was longer than `maxLength`. */
export async function postToModel(
  { url, key }: ModelEndpoint,
  body: string | FormData,
  { signal, maxLength }: { signal: AbortSignal; maxLength: number },
): Promise<{ status: number; body: string | undefined }> {
  const headers: Record<string, string> = {
    ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
  };
  const answer = await send(url, { method: 'POST', body, headers, redirect: 'error', signal });
  return { status: answer.status, body: await readLimitedText(answer.body ?? [], maxLength) };
}

/** Parses a response as JSON. Returns undefined if it is not valid JSON. */
export function parseAnswer<Answer>(body: string): Answer | undefined {
  try {
    return JSON.parse(body) as Answer;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
