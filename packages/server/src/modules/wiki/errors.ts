import type { ErrorTable } from '../../kernel/errors.ts';

export const wikiErrors = {
  unauthenticated: { code: 20004, meaning: 'The API key failed authentication.' },
  invalid_parameter: { code: 110001, meaning: 'A parameter is missing or invalid; the message names it.' },
  conflict: { code: 110001, meaning: 'The name is taken, or an Idempotency-Key was used for another request.' },
  configuration: {
    code: 110002,
    meaning: 'Invalid configuration.',
    never: 'an invalid setting prevents the server from starting, so no request can encounter one.',
  },
  busy: { code: 110010, meaning: 'An upstream service did not respond; try again.' },
  internal: { code: 110011, meaning: 'Internal error; the server log has details under the request id.' },
  page_refused: {
    code: 110011,
    meaning: "A page's server refuses it (404 and the like); trying again does not help.",
  },
  no_space: {
    code: 110011,
    meaning: "The user's storage is full; delete something permanently or ask the owner for more space.",
  },
  unknown_operation: { code: 110012, meaning: 'There is no such operation.' },
  cancelled: {
    code: 110013,
    meaning: 'The client disconnected, or the server stopped, before the response was ready.',
  },
  blocked: {
    code: 110020,
    meaning: 'The content contains a word that this installation blocks (SHEAF_BLOCKED_WORDS).',
  },
  rate_limited: { code: 110021, meaning: 'The API key exceeded its request rate; see Retry-After.' },
  no_permission: {
    code: 110030,
    meaning: 'There is no such base, folder or item, or the caller may not see or change it.',
  },
  suspended: { code: 110030, meaning: 'The user account is suspended or closed.' },
} as const satisfies ErrorTable;
