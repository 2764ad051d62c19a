import crypto from 'node:crypto';

/**
 * Returns the SHA-256 hash in hex. API keys and other secrets are hashed with it too. They need no slow password hash,
 * because they have 256 random bits and cannot be guessed.
 */
export const sha256: (data: string | Uint8Array) => string =
  // Use crypto.hash where it exists (Node 20.12 on), because it is several times as fast for short texts.
  typeof crypto.hash === 'function'
    ? (data) => crypto.hash('sha256', data, 'hex')
    : (data) => crypto.createHash('sha256').update(data).digest('hex');
