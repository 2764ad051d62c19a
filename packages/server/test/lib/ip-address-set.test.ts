import { expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../src/config.ts';
import { IpAddressSet } from '../../src/lib/ip-address-set.ts';

test('addresses and networks of both families; an IPv4 address in IPv6 form is the same', () => {
  const known = new IpAddressSet(['127.0.0.1', '10.0.0.0/8', 'fd00::/8']);
  const asked = [
    '127.0.0.1',
    '::ffff:127.0.0.1',
    '127.0.0.2',
    '10.255.0.1',
    '11.0.0.1',
    'fd12::1',
    'fe80::1',
    'unknown',
    '',
  ];
  expect(asked.filter((address) => known.has(address))).toEqual([
    '127.0.0.1',
    '::ffff:127.0.0.1',
    '10.255.0.1',
    'fd12::1',
  ]);
  expect([known.isEmpty, new IpAddressSet([]).isEmpty, String(known)]).toEqual([
    false,
    true,
    '127.0.0.1,10.0.0.0/8,fd00::/8',
  ]);
});

test('what is neither is refused by the setting, which names it', () => {
  for (const wrong of ['proxy', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0.0/', 'fd00::/129', '10.0.0/8']) {
    expect(() => readConfig({ SHEAF_TRUSTED_PROXIES: `127.0.0.1, ${wrong}` })).toThrow(
      new ConfigError(
        `SHEAF_TRUSTED_PROXIES: "${wrong}" is neither an address nor a network such as 10.0.0.0/8 (got "127.0.0.1, ${wrong}")`,
      ),
    );
  }
});
