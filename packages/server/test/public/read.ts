import type { TestServer } from '@sheaf/tools/testing/test-server.ts';

export interface Told {
  status: number;
  headers: Headers;
  code: number;
  msg: string;
  data: any;
  text: string;
}

/** Asks as somebody who has nothing but a link. */
export async function read(
  server: Pick<TestServer, 'url'>,
  secret: string,
  what: string,
  input: object = {},
): Promise<Told> {
  const response = await fetch(`${server.url}/public/sheet/v1/${what}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-sheaf-link': secret },
    body: JSON.stringify(input),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, ...JSON.parse(text) };
}

export const ended = {
  code: 310004,
  msg: 'this link has ended, or there never was one; ask who sent it for another',
};
