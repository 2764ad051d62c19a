/** An app and a person at a browser without scripts, over plain HTTP. */
import { createHash, randomBytes } from 'node:crypto';
import type { Callable, Key } from '@sheaf/tools/testing/call-client.ts';
import { submitSignIn, sessionOf } from '@sheaf/tools/testing/sign-in.ts';

export const redirectUri = 'http://127.0.0.1:3456/callback';
export const verifier = randomBytes(32).toString('base64url');
export const challenge = createHash('sha256').update(verifier).digest('base64url');

export interface Tokens {
  access_token: string;
  refresh_token: string;
  scope: string;
  expires_in: number;
}

/** A session of a user, as a Cookie header. */
export async function signInAs(server: Pick<Callable, 'url' | 'call'>, userId: string): Promise<string> {
  const { data } = await server.call('http', 'account', 'create_sign_in_link', { user_id: userId });
  return sessionOf(await submitSignIn(server.url, data.sign_in_path));
}

export async function register(url: string, metadata: Record<string, unknown> = {}): Promise<string> {
  const response = await fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Test app', redirect_uris: [redirectUri], ...metadata }),
  });
  const { client_id } = (await response.json()) as { client_id: string };
  return client_id;
}

export function authorizeUrl(url: string, clientId: string, changes: Record<string, string | undefined> = {}): string {
  const query = new URLSearchParams();
  const wanted = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'xyz',
    resource: `${url}/mcp`,
    ...changes,
  };
  for (const [name, value] of Object.entries(wanted)) if (value !== undefined) query.set(name, value);
  return `${url}/oauth/authorize?${query.toString()}`;
}

export function open(address: string, cookie: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(address, { headers: { accept: 'text/html', cookie, ...headers }, redirect: 'manual' });
}

/** The form of a consent page, all boxes as they are. */
export function formIn(page: string): URLSearchParams {
  const form = new URLSearchParams();
  for (const [, name, value] of page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g))
    form.set(name!, value!);
  for (const [, value] of page.matchAll(/<input type="checkbox" name="scope" value="([^"]*)" checked>/g))
    form.append('scope', value!);
  form.set('decision', 'allow');
  return form;
}

export function submit(
  url: string,
  form: URLSearchParams,
  cookie: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${url}/oauth/authorize`, {
    method: 'POST',
    body: form,
    headers: { origin: url, cookie, ...headers },
    redirect: 'manual',
  });
}

/** Opens the consent page and presses its button: what the app gets back. */
export async function allow(address: string, cookie: string): Promise<URLSearchParams> {
  const page = await open(address, cookie);
  if (page.status !== 200) throw new Error(`${page.status}: ${await page.text()}`);
  const answer = await submit(new URL(address).origin, formIn(await page.text()), cookie);
  return new URL(answer.headers.get('location')!).searchParams;
}

export function askTokens(url: string, form: Record<string, string>): Promise<Response> {
  return fetch(`${url}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
}

export function codeForm(clientId: string, code: string): Record<string, string> {
  return {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    code_verifier: verifier,
    redirect_uri: redirectUri,
  };
}

export function refreshForm(clientId: string, refreshToken: string): Record<string, string> {
  return { grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken };
}

/** The whole way from an address to tokens. */
export async function connect(
  server: Pick<Callable, 'url' | 'call'>,
  user: Key,
  changes: Record<string, string | undefined> = {},
): Promise<Tokens & { clientId: string; cookie: string }> {
  const cookie = await signInAs(server, user.userId);
  const clientId = await register(server.url);
  const answer = await allow(authorizeUrl(server.url, clientId, changes), cookie);
  const response = await askTokens(server.url, codeForm(clientId, answer.get('code')!));
  return { ...((await response.json()) as Tokens), clientId, cookie };
}

/** A call of a tool with a token: the status, and the answer's own. */
export async function callTool(
  url: string,
  token: string,
  name: string,
  input: object = {},
): Promise<{ status: number; data?: any; code?: number; message?: string; challenge: string | null }> {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
  });
  const { result } = (await response.json()) as { result?: { structuredContent?: any; content: { text: string }[] } };
  return {
    status: response.status,
    challenge: response.headers.get('www-authenticate'),
    data: result?.structuredContent,
    message: result?.content[0]?.text,
  };
}
