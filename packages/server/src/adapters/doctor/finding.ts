/** What was looked at, how it stands, and what to do where it does not stand well. */
export interface Finding {
  readonly check: string;
  /** A warning is what works today and may not tomorrow. */
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

/** What an error says, by the error that caused it where the outer one says only that something is away. */
export function reasonOf(error: unknown): string {
  const { message, cause } = error instanceof Error ? error : new Error(String(error));
  const inner = cause instanceof Error ? cause.message : '';
  const text = inner === '' || message.includes(inner) ? message : `${message} (${inner})`;
  // Of an attempt at several addresses Node tells only the code.
  return text === '' ? ((error as NodeJS.ErrnoException).code ?? 'no reason given') : text;
}
