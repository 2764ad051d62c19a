import type { ErrorTable } from '../../kernel/errors.ts';

export const inboxErrors = {
  unauthenticated: { code: 20004, meaning: 'The API key or session is not valid.' },
  rate_limited: { code: 20002, meaning: 'Too many requests; see Retry-After.' },
  invalid_parameter: { code: 610001, meaning: 'A parameter is missing or invalid; the message names it.' },
  not_found: { code: 610002, meaning: 'There is no such object, or the caller may not see it.' },
  limit_exceeded: { code: 610006, meaning: 'A limit was exceeded; the message names it.' },
  no_permission: { code: 610007, meaning: 'The caller may not do this.' },
  suspended: { code: 610009, meaning: 'The user account is suspended or closed.' },
  conflict: { code: 610008, meaning: 'An Idempotency-Key was used for another request.' },
  busy: { code: 610010, meaning: 'An upstream service did not respond; try again.' },
  unknown_operation: { code: 610011, meaning: 'There is no such operation.' },
  internal: { code: 610012, meaning: 'Internal error; the server log has details under the request id.' },
} as const satisfies ErrorTable;
