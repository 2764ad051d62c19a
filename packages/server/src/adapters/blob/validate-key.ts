const maxKeyLength = 512;
const segment = /^[A-Za-z0-9._-]{1,200}$/;
const lastPart = 10_000;

/**
 * Throws if a key is invalid, so that no key can name a file outside the store. Clients never choose keys, so an
 * invalid key is a bug.
 */
export function checkKey(key: string): void {
  const bad =
    key.length > maxKeyLength || key.split('/').some((part) => !segment.test(part) || part === '.' || part === '..');
  if (bad)
    throw new Error(
      `key: must be slash-separated names of [A-Za-z0-9._-], at most ${maxKeyLength} characters (got ${JSON.stringify(key.slice(0, 80))})`,
    );
}

export function checkPrefix(prefix: string): void {
  if (prefix !== '') checkKey(prefix.endsWith('/') ? prefix.slice(0, -1) : prefix);
}

export function checkPart(part: number): void {
  if (!Number.isInteger(part) || part < 1 || part > lastPart)
    throw new Error(`part: must be a whole number from 1 to ${lastPart} (got ${part})`);
}
