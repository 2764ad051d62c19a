import { validateLink } from '@sheaf/files/validate-link';
import { invalid } from '../errors.ts';

export function checkLink(url: string): string {
  const fault = validateLink(url);
  if (fault !== undefined) throw invalid(`url: ${fault}`);
  return url.trim();
}
