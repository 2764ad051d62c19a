import { linkFault } from '@sheaf/files/link-fault';
import { fail } from '../../operation/errors.ts';

export function checkLink(url: string): string {
  const fault = linkFault(url);
  if (fault !== undefined) throw fail('invalid_parameter', `url: ${fault}`);
  return url.trim();
}
