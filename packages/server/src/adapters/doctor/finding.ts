/** Result of one check: its state and, unless it is ok, advice. */
export interface Finding {
  readonly check: string;
  /** A warning is something that works now but may fail later. */
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

/** Message of an error, with that of its cause if the outer message does not contain it. */
export function errorReason(error: unknown): string {
  const { message, cause } = error instanceof Error ? error : new Error(String(error));
  const inner = cause instanceof Error ? cause.message : '';
  const text = inner === '' || message.includes(inner) ? message : `${message} (${inner})`;
  // For a failed connection to several addresses, Node sets only the code.
  return text === '' ? ((error as NodeJS.ErrnoException).code ?? 'no reason given') : text;
}
