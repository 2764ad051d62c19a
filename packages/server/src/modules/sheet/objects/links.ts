import { validateLink } from '@sheaf/files/validate-link';
import { fail } from '../../../kernel/errors.ts';

export function checkLink(url: string): string {
  const fault = validateLink(url);
  if (fault !== undefined) throw fail('invalid_parameter', `url: ${fault}`);
  return url.trim();
}
