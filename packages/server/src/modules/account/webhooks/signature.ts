import { createHmac, randomBytes } from 'node:crypto';

/**
 * Prefix of webhook secrets. Secrets, headers and signatures follow the Standard Webhooks specification, which
 * libraries in many languages support.
 */
const prefix = 'whsec_';
const secretLength = 32;

export function newWebhookSecret(): string {
  return prefix + randomBytes(secretLength).toString('base64');
}

/** Returns the headers that sign a delivery. The signature covers the time, so that receivers can refuse replays. */
export function signHeaders(
  secret: string,
  message: { id: string; seconds: number; body: string },
): Record<string, string> {
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  const signed = `${message.id}.${message.seconds}.${message.body}`;
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(message.seconds),
    'webhook-signature': `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
  };
}
