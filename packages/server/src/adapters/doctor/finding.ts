export interface Finding {
  readonly check: string;
  /**
   * `ok` if nothing is wrong, `warning` if the checked part works now but may fail later, `failure` if the part does
   * not work.
   */
  readonly state: 'ok' | 'warning' | 'failure';
  readonly says: string;
  readonly advice?: string;
}

export const ok = (check: string, says: string): Finding => ({ check, state: 'ok', says });
export const warning = (check: string, says: string, advice: string): Finding => ({
  check,
  state: 'warning',
  says,
  advice,
});
export const failure = (check: string, says: string, advice: string): Finding => ({
  check,
  state: 'failure',
  says,
  advice,
});

/**
 * Returns the message of an error and of its cause. The cause is left out if the error's message already contains it.
 */
export function errorReason(error: unknown): string {
  const { message, cause } = error instanceof Error ? error : new Error(String(error));
  const inner = cause instanceof Error ? cause.message : '';
  const text = inner === '' || message.includes(inner) ? message : `${message} (${inner})`;
  // When a connection to several addresses fails, Node sets only the error code and leaves the message empty.
  return text === '' ? ((error as NodeJS.ErrnoException).code ?? 'no reason given') : text;
}
