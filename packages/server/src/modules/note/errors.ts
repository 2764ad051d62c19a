import type { ErrorTable } from '../../kernel/errors.ts';

export const noteErrors = {
  unauthenticated: { code: 20004, meaning: 'The API key failed authentication.' },
  rate_limited: { code: 20002, meaning: 'The API key exceeded its request rate; see Retry-After.' },
  invalid_parameter: { code: 210001, meaning: 'A parameter is missing or invalid; the message names it.' },
  unknown_operation: { code: 210001, meaning: 'There is no such operation.' },
  invalid_user: {
    code: 210002,
    meaning: 'Invalid user id carried.',
    never: 'no request carries a user id; the caller is the user of the API key.',
  },
  internal: { code: 210003, meaning: 'Internal error; the server log has details under the request id.' },
  busy: { code: 210003, meaning: 'An upstream service did not respond; try again.' },
  no_space: {
    code: 210004,
    meaning: "The user's storage is full; delete notes permanently or ask the owner for more space.",
  },
  not_author: { code: 210005, meaning: 'The caller is not the author of the note, or there is no such note.' },
  note_deleted: { code: 210006, meaning: 'The note was deleted; restore_note restores it within 30 days.' },
  storage_credential: {
    code: 210007,
    meaning: 'No credential for the object storage.',
    never: 'notes live in the database; nothing here asks for such a credential.',
  },
  conflict: {
    code: 210008,
    meaning: 'The note changed since base_version, or an Idempotency-Key was used for another request.',
  },
  too_large: { code: 210009, meaning: 'A note can contain at most 1 MiB of Markdown.' },
  guide_exists: {
    code: 210010,
    meaning: 'The starter guide was added twice.',
    never: 'there is no starter guide; samples are added only on request.',
  },
  shared_note: { code: 210011, meaning: 'The note belongs to a shared knowledge base; read it through the base.' },
  suspended: { code: 210012, meaning: 'The user account is suspended or closed.' },
  notebook_exists: { code: 210030, meaning: 'A notebook of that name already exists in the same place.' },
  notebook_limit: { code: 210031, meaning: 'A user has at most 1,000 notebooks.' },
  batch_partly: {
    code: 210032,
    meaning: 'A batch failed in part.',
    never: 'a batch applies whole or not at all (see 210033).',
  },
  batch_failed: {
    code: 210033,
    meaning: 'A batch failed and none of it was applied; the message names the notes that caused it.',
  },
  no_permission: {
    code: 210034,
    meaning: 'The note is private and the caller is not its author, or the API key may not do this.',
  },
  no_notebook: { code: 210035, meaning: 'There is no such notebook.' },
  add_knowledge: {
    code: 210036,
    meaning: 'Adding the note to a knowledge base failed.',
    never: 'notes are added to knowledge bases by wiki.add_knowledge, which has numbers of its own.',
  },
} as const satisfies ErrorTable;
