import type { Validation } from '../../ports/documents.ts';

export function validate(_request: unknown, _open: unknown): Validation {
  throw new Error('no validation yet');
}
