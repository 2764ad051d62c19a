/**
 * Signs in with a sign-in link as a browser does: requests the page at `path`, then submits its form. Returns the
 * response to the form.
 */
export async function submitSignIn(url: string, path: string, headers: Record<string, string> = {}): Promise<Response> {
  const page = await (await fetch(url + path, { headers: { accept: 'text/html', ...headers } })).text();
  const form = new URLSearchParams();
  for (const [, name, value] of page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g))
    form.set(name!, value!);
  return postForm(url, form, headers);
}

export function postForm(url: string, form: URLSearchParams, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${url}/sign-in`, {
    method: 'POST',
    body: form,
    headers: { origin: url, ...headers },
    redirect: 'manual',
  });
}

/** Returns the session cookie that a response sets, as a value for the Cookie header. Returns '' if it sets none. */
export function sessionOf(response: Response): string {
  return (
    response.headers
      .getSetCookie()
      .find((cookie) => cookie.startsWith('sheaf_session='))
      ?.split(';')[0] ?? ''
  );
}

/**
 * Returns the device cookie, which marks a browser that has signed in before, as a value for the Cookie header. Returns
 * '' if the response sets none.
 */
export function deviceOf(response: Response): string {
  return (
    response.headers
      .getSetCookie()
      .find((cookie) => cookie.startsWith('sheaf_device='))
      ?.split(';')[0] ?? ''
  );
}
