import crypto from 'node:crypto';

/** SHA-256 in hex. Secrets with 256 random bits cannot be guessed, so they need no slow hash. */
export const sha256: (data: string | Uint8Array) => string =
  // crypto.hash (Node 20.12 on) is several times as fast for short texts.
  typeof crypto.hash === 'function'
    ? (data) => crypto.hash('sha256', data, 'hex')
    : (data) => crypto.createHash('sha256').update(data).digest('hex');
