import { constants, createPublicKey, verify, type JsonWebKey, type KeyObject } from 'node:crypto';
import { fail } from '../../../kernel/errors.ts';

export interface IdTokenClaims {
  subject: string;
  /** Display name of the user. */
  name: string;
  /** Values of the claim `groups`; undefined if the token has none. */
  groups: readonly string[] | undefined;
}

/** Maximum number of values read from an ID token's `groups` claim. Further values are ignored. */
const maxGroupClaims = 1000;

interface Algorithm {
  readonly hash: string | null;
  readonly kind: KeyObject['asymmetricKeyType'];
  readonly options?: { padding?: number; saltLength?: number; dsaEncoding?: 'ieee-p1363' };
}

const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
const algorithms: Readonly<Record<string, Algorithm>> = {
  RS256: { hash: 'sha256', kind: 'rsa' },
  RS384: { hash: 'sha384', kind: 'rsa' },
  RS512: { hash: 'sha512', kind: 'rsa' },
  PS256: { hash: 'sha256', kind: 'rsa', options: pss },
  ES256: { hash: 'sha256', kind: 'ec', options: { dsaEncoding: 'ieee-p1363' } },
  ES384: { hash: 'sha384', kind: 'ec', options: { dsaEncoding: 'ieee-p1363' } },
  EdDSA: { hash: null, kind: 'ed25519' },
};
/** Tolerated difference in seconds between the clocks of this server and the identity provider. */
const slackSeconds = 60;

export interface ExpectedClaims {
  readonly keys: readonly unknown[];
  readonly issuer: string;
  readonly clientId: string;
  /**
   * Nonce that was sent when the sign-in began. Undefined if the token was received in a refresh, because a refresh
   * belongs to no sign-in.
   */
  readonly nonce: string | undefined;
  /** Current time in Unix milliseconds. */
  readonly now: number;
}

/**
 * Verifies an ID token as OpenID Connect Core (3.1.3.7) requires, and returns the user's claims. Throws if the
 * signature is invalid, the token is not valid now, or its issuer, audience or nonce is not the expected one.
 */
export function verifyIdToken(token: string, expected: ExpectedClaims): IdTokenClaims {
  const [head = '', body = '', signature = '', ...rest] = token.split('.');
  const header = json(head);
  const algorithm = algorithms[String(header['alg'])];
  // A token with unknown critical extensions must be refused (RFC 7515, 4.1.11).
  if (header['crit'] !== undefined) throw invalidToken(`has critical extensions (${JSON.stringify(header['crit'])})`);
  if (rest.length > 0 || !algorithm)
    throw invalidToken(`is not signed in a way we know (alg ${JSON.stringify(header['alg'])})`);
  const signed = Buffer.from(`${head}.${body}`);
  const isSigned = expected.keys.some((jwk) => isSignedBy(jwk, header['kid'], algorithm, signed, signature));
  if (!isSigned) throw invalidToken('is not signed by the provider');
  const claims = json(body);
  const audience = Array.isArray(claims['aud']) ? (claims['aud'] as unknown[]) : [claims['aud']];
  const seconds = expected.now / 1000;
  if (claims['iss'] !== expected.issuer) throw invalidToken('comes from another issuer');
  if (!audience.includes(expected.clientId)) throw invalidToken('was issued to another client');
  if (audience.length > 1 && claims['azp'] !== expected.clientId) throw invalidToken('was issued to another client');
  if (!isTime(claims['exp'])) throw invalidToken('has no time of expiry');
  if (claims['exp'] <= seconds - slackSeconds) throw invalidToken('has expired');
  for (const name of ['nbf', 'iat'] as const) {
    const time = claims[name];
    if (time !== undefined && !(isTime(time) && time <= seconds + slackSeconds))
      throw invalidToken(`is not valid yet (${name})`);
  }
  if (expected.nonce !== undefined && claims['nonce'] !== expected.nonce) throw invalidToken('answers another sign-in');
  const subject = claims['sub'];
  if (typeof subject !== 'string' || subject === '' || subject.length > 255) throw invalidToken('names nobody');
  const name = [claims['preferred_username'], claims['nickname'], claims['name']].find(
    (one): one is string => typeof one === 'string' && one.trim() !== '',
  );
  const groups = Array.isArray(claims['groups'])
    ? claims['groups'].filter((one): one is string => typeof one === 'string').slice(0, maxGroupClaims)
    : undefined;
  return { subject, name: (name ?? subject).slice(0, 100), groups };
}

/** Returns whether a claim is a time as RFC 7519 defines it (NumericDate): a JSON number. */
function isTime(claim: unknown): claim is number {
  return typeof claim === 'number' && Number.isFinite(claim);
}

function isSignedBy(jwk: unknown, kid: unknown, algorithm: Algorithm, signed: Buffer, signature: string): boolean {
  const key = jwk as JsonWebKey & { kid?: unknown; use?: unknown };
  if ((kid !== undefined && key.kid !== undefined && key.kid !== kid) || key.use === 'enc') return false;
  try {
    const publicKey = createPublicKey({ key, format: 'jwk' });
    return (
      publicKey.asymmetricKeyType === algorithm.kind &&
      verify(algorithm.hash, signed, { key: publicKey, ...algorithm.options }, Buffer.from(signature, 'base64url'))
    );
  } catch {
    // The key is malformed or of a type that Node.js does not support, so the signature counts as invalid.
    return false;
  }
}

function json(part: string): Record<string, unknown> {
  try {
    const found = JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as unknown;
    if (typeof found === 'object' && found !== null) return found as Record<string, unknown>;
  } catch {
    // `part` is not JSON in base64url: throw the error below.
  }
  throw invalidToken('is not a signed token');
}

function invalidToken(why: string): Error {
  return fail('unauthenticated', `the provider's ID token ${why}`);
}
