import type { ErrorTable } from '../operation/errors.ts';

export const wikiErrors = {
  unauthenticated: { code: 20004, meaning: 'The API key failed authentication.' },
  invalid_parameter: { code: 110001, meaning: 'A parameter is missing or breaks a rule; the message names it.' },
  conflict: { code: 110001, meaning: 'The name is taken, or an Idempotency-Key was used for another request.' },
  configuration: {
    code: 110002,
    meaning: 'Invalid configuration.',
    never: 'a bad setting stops the start with one clear line, so no request ever meets one.',
  },
  busy: { code: 110010, meaning: 'A service behind this one did not answer; try again.' },
  internal: { code: 110011, meaning: 'A fault of this server; the log has more under the request id.' },
  no_space: {
    code: 110011,
    meaning: "The user's storage is full; delete something for good or ask the owner for more.",
  },
  unknown_operation: { code: 110012, meaning: 'There is no such operation.' },
  cancelled: { code: 110013, meaning: 'The client went away, or the server is stopping, before the answer was there.' },
  blocked: { code: 110020, meaning: 'The content holds a word that this installation blocks (SHEAF_BLOCKED_WORDS).' },
  rate_limited: { code: 110021, meaning: 'The API key exceeded its request rate; see Retry-After.' },
  no_permission: {
    code: 110030,
    meaning: 'There is no such base, folder or item, or the caller may not see or change it.',
  },
  suspended: { code: 110030, meaning: 'The user account is suspended or closed.' },
} as const satisfies ErrorTable;
