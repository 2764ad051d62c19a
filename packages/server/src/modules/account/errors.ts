import type { ErrorTable } from '../../kernel/errors.ts';

export const accountErrors = {
  unauthenticated: { code: 20004, meaning: 'The API key or session is not valid.' },
  rate_limited: { code: 20002, meaning: 'Too many requests; see Retry-After.' },
  invalid_parameter: { code: 410001, meaning: 'A parameter is missing or invalid; the message names it.' },
  not_found: { code: 410002, meaning: 'No such user, key or session.' },
  name_taken: { code: 410003, meaning: 'The name is already taken.' },
  limit_exceeded: { code: 410006, meaning: 'A limit was exceeded; the message names it.' },
  no_permission: { code: 410007, meaning: 'The caller may not do this.' },
  suspended: { code: 410009, meaning: 'The user account is suspended or closed.' },
  conflict: {
    code: 410008,
    meaning: 'The request contradicts an earlier one, or an Idempotency-Key was used for another request.',
  },
  busy: { code: 410010, meaning: 'An upstream service did not respond; try again.' },
  unknown_operation: { code: 410011, meaning: 'There is no such operation.' },
  internal: { code: 410012, meaning: 'Internal error; the server log has details under the request id.' },
} as const satisfies ErrorTable;
