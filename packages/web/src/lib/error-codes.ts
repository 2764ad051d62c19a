/**
 * Error codes of the server that the page handles, by module and name. They are copies, because the page cannot import
 * the server's tables. `test/error-codes.test.ts` compares them with the tables.
 */
export const errorCodes = {
  account: { not_found: 410002, busy: 410010, unauthenticated: 20004 },
  inbox: { not_found: 610002, busy: 610010 },
  note: {
    busy: 210003,
    not_author: 210005,
    note_deleted: 210006,
    conflict: 210008,
    no_permission: 210034,
  },
  sharing: { not_found: 510002, busy: 510010 },
  sheet: { no_such_file: 310002, no_such_object: 310004, conflict: 310008, busy: 310010, internal: 310012 },
  wiki: { invalid_parameter: 110001, busy: 110010, cancelled: 110013, no_permission: 110030 },
} as const;
