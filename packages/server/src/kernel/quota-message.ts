import type { QuotaExceeded } from '../ports/blob-accounting.ts';

/** The error message for a write that exceeds the user's storage quota; all transports use it. */
export function quotaMessage({ bytes, used, quota }: { bytes: number; used: number; quota: number }): string {
  return `${bytes} more bytes do not fit: ${used} of ${quota} are in use; delete something permanently or ask the owner for more space`;
}

export function quotaErrorMessage({ why }: QuotaExceeded): string {
  return `${why.field}: ${quotaMessage(why)}`;
}
