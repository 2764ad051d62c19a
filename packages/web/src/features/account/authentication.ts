import { SheafError, queryClient } from '../../lib/api-client.ts';

interface SignInResponse {
  code: number;
  msg: string;
}

/**
 * Signs in, which sets the session cookie. Sign-in and sign-out are not API operations, because they only affect the
 * cookie.
 */
export async function signIn(name: string, password: string): Promise<void> {
  const response = await fetch('/sign-in', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name, password }),
  });
  const answer = (await response.json()) as SignInResponse;
  if (answer.code !== 0) throw new SheafError(answer.code, answer.msg, response.status, '');
}

/** Returns the name of the single sign-on provider, or null if the server has no provider configured. */
export async function fetchSingleSignOnName(): Promise<string | null> {
  const response = await fetch('/sign-in/options');
  return ((await response.json()) as { sso: string | null }).sso;
}

/**
 * Links the user's account to a single sign-on identity: redirects the browser to the provider, which redirects back.
 */
export async function linkIdentity(): Promise<void> {
  const response = await fetch('/sign-in/sso', { method: 'POST' });
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  location.assign(((await response.json()) as { address: string }).address);
}

export async function signOut(): Promise<void> {
  await fetch('/sign-out', { method: 'POST' });
  queryClient.clear();
  location.assign('/');
}
