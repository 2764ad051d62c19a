import { describe, expect, test } from 'vitest';
import type { App } from '../../src/app.ts';
import { isTrustedHost, isTrustedOrigin, refuseCrossSite } from '../../src/transports/http/csrf.ts';

const publicUrl = 'https://sheaf.example.com';

describe('[T38][T47] whose requests ride on a cookie', () => {
  const refusal = (headers: Record<string, string>, address: string | undefined = publicUrl): string => {
    try {
      refuseCrossSite({ config: { SHEAF_PUBLIC_URL: address } } as App, { headers });
      return 'let in';
    } catch (error) {
      return (error as Error).message;
    }
  };
  const foreign = "a request with a session cookie must come from this server's own page";
  const unknown = (host: string) =>
    `this server does not accept the Host "${host}"; use an IP address, localhost or the host name in SHEAF_PUBLIC_URL`;

  test.each([
    [{ host: 'sheaf.example.com', origin: 'https://sheaf.example.com' }, 'let in'],
    [{ host: 'backend:8787', origin: 'https://sheaf.example.com' }, 'let in'],
    [{ host: '127.0.0.1:8787', origin: 'http://127.0.0.1:8787' }, 'let in'],
    [{ host: 'sheaf.example.com', 'sec-fetch-site': 'same-origin' }, 'let in'],
    [{ host: 'sheaf.example.com', origin: 'http://sheaf.example.com' }, foreign],
    [{ host: 'sheaf.example.com', origin: 'https://evil.example' }, foreign],
    [{ host: 'sheaf.example.com', origin: 'null' }, foreign],
    [{ host: 'sheaf.example.com', 'sec-fetch-site': 'cross-site' }, foreign],
    [{ host: 'sheaf.example.com' }, foreign],
    [{ host: 'evil.example', 'sec-fetch-site': 'same-origin' }, unknown('evil.example')],
    [{ host: 'evil.example', origin: 'http://evil.example' }, unknown('evil.example')],
  ])('%o: %s', (headers, expected) => {
    expect(refusal(headers as Record<string, string>)).toBe(expected);
  });

  test('without a public address a name of the machine is refused with what to do', () => {
    expect(refusal({ host: 'mybox.local:8787', origin: 'http://mybox.local:8787' }, undefined)).toBe(
      unknown('mybox.local:8787'),
    );
  });
});

test('[T47] hosts: addresses and localhost always, names only our own', () => {
  const hosts = [
    '127.0.0.1:8787',
    '[::1]:8787',
    'localhost',
    'a.localhost:80',
    'sheaf.example.com',
    'sheaf.example.com.evil.example',
    'evil.example',
    '127.0.0.1.evil.example',
    'user@localhost',
    '',
  ];
  expect(hosts.filter((host) => isTrustedHost(host, publicUrl))).toEqual([
    '127.0.0.1:8787',
    '[::1]:8787',
    'localhost',
    'a.localhost:80',
    'sheaf.example.com',
  ]);
  expect(isTrustedOrigin('http://localhost:3000', 'localhost:8787', undefined)).toBe(false);
});
