import { QueryCache, QueryClient } from '@tanstack/react-query';
import { SheafError, call, createClient, type CallOptions, type RawAnswer } from '../../../src/client/index.ts';
import { fetchEarly } from './early.ts';
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

/** What went wrong, for a person: names of fields are for programs. */
export function messageOf(error: unknown): string {
  if (!(error instanceof SheafError)) return error instanceof Error ? error.message : String(error);
  const sentence = error.message.replace(/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*(?:\[\d+\]|\.[a-z_]+)*: /, '');
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

interface SignedIn {
  code: number;
  msg: string;
}

/** Signing in and out are about the cookie, which is the transport's; they are no operations. */
export async function signIn(name: string, password: string): Promise<void> {
  const response = await fetch('/sign-in', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name, password }),
  });
  const answer = (await response.json()) as SignedIn;
  if (answer.code !== 0) throw new SheafError(answer.code, answer.msg, response.status, '');
}

/** What the provider is called by which people can sign in; null where there is none. */
export async function singleSignOnName(): Promise<string | null> {
  const response = await fetch('/sign-in/options');
  return ((await response.json()) as { sso: string | null }).sso;
}

/** Goes to the provider, which sends the person back when they have signed in there. */
export async function linkIdentity(): Promise<void> {
  const response = await fetch('/sign-in/sso', { method: 'POST' });
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  location.assign(((await response.json()) as { address: string }).address);
}

export async function signOut(): Promise<void> {
  await fetch('/sign-out', { method: 'POST' });
  queries.clear();
  location.assign('/');
}
