import { fail } from '../operation/errors.ts';

/** No text of ours holds NUL (PostgreSQL cannot store it), so a caller hears of it here and not from a database. */
export function refuseNul(value: unknown, path = ''): void {
  if (typeof value === 'string') {
    if (value.includes('\0'))
      throw fail('invalid_parameter', `${path === '' ? 'the request' : path}: must not contain the NUL character`);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      refuseNul(key, path);
      refuseNul(inner, path === '' ? key : `${path}.${key}`);
    }
  }
}
