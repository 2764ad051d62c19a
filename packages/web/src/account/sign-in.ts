import { SheafError, queries } from '../lib/client.ts';

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
