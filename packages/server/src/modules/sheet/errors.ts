import { fail, type ErrorTable, type Failure } from '../../kernel/errors.ts';

export const sheetErrors = {
  unauthenticated: { code: 20004, meaning: 'The API key or session is not valid.' },
  rate_limited: { code: 20002, meaning: 'Too many requests; see Retry-After.' },
  invalid_parameter: { code: 310001, meaning: 'A parameter is missing or invalid; the message names it.' },
  no_such_file: { code: 310002, meaning: 'There is no such document, or the caller has no access to it.' },
  no_such_sheet: { code: 310003, meaning: 'There is no such sub-sheet.' },
  no_such_object: {
    code: 310004,
    meaning: 'There is no such chart, pivot table, filter, link, image, protected range, user or version.',
  },
  protected: {
    code: 310005,
    meaning: "The cells are protected; their protector or the document's owner may change them.",
  },
  limit_exceeded: { code: 310006, meaning: 'A limit of the sheet is exceeded; the message names it.' },
  no_permission: { code: 310007, meaning: 'The caller may not do this.' },
  suspended: { code: 310007, meaning: 'The user account is suspended or closed.' },
  conflict: {
    code: 310008,
    meaning: 'The request conflicts with existing contents, or an Idempotency-Key was used for another request.',
  },
  formula: { code: 310009, meaning: 'The formula cannot be parsed; the message gives the position.' },
  busy: { code: 310010, meaning: 'The calculation took too long or a service did not respond; nothing was changed.' },
  unknown_operation: { code: 310011, meaning: 'There is no such tool.' },
  internal: { code: 310012, meaning: 'Internal error; the server log has details under the request id.' },
} as const satisfies ErrorTable;

/** Creates the failure for an invalid parameter. Callers begin the message with the name of the input field. */
export function invalid(message: string): Failure {
  return fail('invalid_parameter', message);
}

/** Creates the failure for an exceeded limit. Callers state the limit in the message. */
export function overLimit(message: string): Failure {
  return fail('limit_exceeded', message);
}
