import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { verifyIdToken } from '../../../src/modules/account/sso/id-token.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const now = 1_800_000_000_000;
const seconds = now / 1000;
const good = { iss: 'https://issuer.test', aud: 'sheaf', sub: 'u1', iat: seconds - 5, exp: seconds + 300 };

function check(claims: object, header: object = {}): unknown {
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  const signed = `${encode({ alg: 'RS256', ...header })}.${encode({ ...good, ...claims })}`;
  const token = `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`;
  return verifyIdToken(token, {
    issuer: good.iss,
    clientId: 'sheaf',
    nonce: undefined,
    keys: [publicKey.export({ format: 'jwk' })],
    now,
  });
}

test('[finding R24] ID tokens with critical extensions, a future start or no numeric expiry are refused', () => {
  expect(check({})).toMatchObject({ subject: 'u1' });
  expect(check({ nbf: seconds - 5 })).toMatchObject({ subject: 'u1' });
  expect(() => check({}, { crit: ['b64'] })).toThrow(/critical extensions/);
  expect(() => check({ nbf: seconds + 3600 })).toThrow(/not valid yet \(nbf\)/);
  expect(() => check({ iat: seconds + 3600 })).toThrow(/not valid yet \(iat\)/);
  expect(() => check({ nbf: 'soon' })).toThrow(/not valid yet \(nbf\)/);
  expect(() => check({ exp: 'Infinity' })).toThrow(/no time of expiry/);
  expect(() => check({ exp: undefined })).toThrow(/no time of expiry/);
  expect(() => check({ exp: seconds - 3600 })).toThrow(/has expired/);
});
