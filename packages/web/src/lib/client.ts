import { QueryCache, QueryClient } from '@tanstack/react-query';
import { SheafError, call, createClient, type CallOptions, type RawAnswer } from '@sheaf/client';
import { fetchEarly } from './early.ts';
import { plainMessage } from './plain-message.ts';
import { Unreachable, reaching } from './unreachable.ts';

const here = {
  url: '',
  fetch: (address: RequestInfo | URL, init?: RequestInit) => reaching(fetchEarly(address, init), init?.signal),
};

/** The page has no other way to the server than this: whatever it does, anyone with a key can call. */
export const sheaf = createClient(here);

/** A call with its whole answer. One that an earlier try under the same key carried out is answered, with nothing in it. */
export async function callWhole(
  module: 'note' | 'sheet',
  operation: string,
  input: Record<string, unknown>,
  options: CallOptions = {},
): Promise<RawAnswer> {
  return succeeded(await reaching(call(here, module, operation, input, options), options.signal));
}

/** The answer of a call that was carried out; anything else is thrown. */
export function succeeded(answer: RawAnswer): RawAnswer {
  // Done by an earlier try, whose answer was lost with the server that gave it.
  if (answer.code !== 0 && answer.data['applied'] === true) return { ...answer, code: 0, data: {} };
  if (answer.code !== 0) throw new SheafError(answer.code, answer.msg, answer.status, answer.requestId);
  return answer;
}

/** A sheet tool: the version that a write made is part of its answer. */
export const callSheet = (tool: string, input: Record<string, unknown>, options?: CallOptions): Promise<RawAnswer> =>
  callWhole('sheet', tool, input, options);

export { SheafError, Unreachable };

export const unauthenticated = 20004;

export const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      if (error instanceof SheafError && error.code === unauthenticated)
        void queries.resetQueries({ queryKey: ['me'] });
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, error) => !(error instanceof SheafError) && count < 2,
    },
  },
});

/** What went wrong, for a person. */
export function messageOf(error: unknown): string {
  if (error instanceof SheafError) return plainMessage(error.message);
  return error instanceof Error ? error.message : String(error);
}

/** Of a document, a note, a base or what is in it: absent, deleted or not one's own. */
const missing = [110030, 210005, 210006, 210034, 310002];

/** Whether what was asked for is not there for whoever asks. */
export function isMissing(error: unknown): boolean {
  return error instanceof SheafError && missing.includes(error.code);
}

/** A server that is busy; all else that it answers with status 200 it has decided. */
const passing = [110010, 110013, 210003, 310010, 410010];

/** Whether asking again can give another answer. */
export function mayPass(error: unknown): boolean {
  return !(error instanceof SheafError) || error.status !== 200 || passing.includes(error.code);
}
