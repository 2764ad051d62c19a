import type { ErrorTable } from '../../kernel/errors.ts';

export const sharingErrors = {
  unauthenticated: { code: 20004, meaning: 'The API key or session is not valid.' },
  rate_limited: { code: 20002, meaning: 'Too many requests; see Retry-After.' },
  invalid_parameter: { code: 510001, meaning: 'A parameter is missing or invalid; the message names it.' },
  not_found: { code: 510002, meaning: 'There is no such object, user, group or link, or the caller may not see it.' },
  limit_exceeded: { code: 510006, meaning: 'A limit was exceeded; the message names it.' },
  no_permission: { code: 510007, meaning: 'The caller may not do this.' },
  suspended: { code: 510009, meaning: 'The user account is suspended or closed.' },
  conflict: {
    code: 510008,
    meaning: 'The request contradicts what is there, or an Idempotency-Key was used for another request.',
  },
  busy: { code: 510010, meaning: 'An upstream service did not respond; try again.' },
  unknown_operation: { code: 510011, meaning: 'There is no such operation.' },
  internal: { code: 510012, meaning: 'Internal error; the server log has details under the request id.' },
} as const satisfies ErrorTable;
