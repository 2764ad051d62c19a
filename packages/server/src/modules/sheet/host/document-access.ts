import { fail } from '../../../kernel/errors.ts';
import type { DocumentRole, StoredDocument } from '../../../ports/sheet-store.ts';

export interface FoundDocument {
  readonly document: StoredDocument;
  readonly role: DocumentRole | undefined;
  readonly isCurrent?: boolean;
}

export type AccessibleDocument = FoundDocument & { readonly role: DocumentRole };

const rank = { viewer: 0, commenter: 1, editor: 2, owner: 3 };

/**
 * Returns the document with the caller's role. Throws if the role is below `need` or the document is deleted. Callers
 * without any role get the error `no_such_file`, so that they cannot find out whether the document exists.
 */
export function requireRole(found: FoundDocument | undefined, id: string, need: DocumentRole): AccessibleDocument {
  if (!found?.role || found.document.deletedAt !== null)
    throw fail('no_such_file', `file_id: there is no document ${JSON.stringify(id)}`);
  const { role } = found;
  if (rank[role] < rank[need])
    throw fail('no_permission', `file_id: this requires the role ${need} on the document; yours is ${role}`);
  return found as AccessibleDocument;
}
