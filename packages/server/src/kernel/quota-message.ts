import type { QuotaExceeded } from '../ports/blob-accounting.ts';

/** Returns the error message for a write that exceeds the user's storage quota. All transports use it. */
export function quotaMessage({ bytes, used, quota }: { bytes: number; used: number; quota: number }): string {
  return `${bytes} more bytes do not fit: ${used} of ${quota} are in use; delete something permanently or ask the owner for more space`;
}

export function quotaErrorMessage({ why }: QuotaExceeded): string {
  return `${why.field}: ${quotaMessage(why)}`;
}
