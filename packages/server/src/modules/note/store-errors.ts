import { fail, type Failure } from '../../kernel/errors.ts';
import type { NoteRefusal } from '../../ports/note-store.ts';
import type { noteErrors } from './errors.ts';

/**
 * Name of the error for a note that does not exist or belongs to another user. Operations get_doc_content, append_doc
 * and import_doc use `not_author`, and all others use `no_permission`.
 */
export type ForeignNoteError = 'not_author' | 'no_permission';

const errorNames: Record<Exclude<NoteRefusal['reason'], 'not_found'>, keyof typeof noteErrors> = {
  no_space: 'no_space',
  deleted: 'note_deleted',
  too_large: 'too_large',
  stale: 'conflict',
  name_exists: 'notebook_exists',
  notebook_limit: 'notebook_limit',
  no_notebook: 'no_notebook',
  no_parent_notebook: 'no_notebook',
  cycle: 'invalid_parameter',
};

export function toFailure(why: NoteRefusal, stranger: ForeignNoteError): Failure {
  return fail(why.reason === 'not_found' ? stranger : errorNames[why.reason], describeRefusal(why));
}

function describeRefusal(why: NoteRefusal): string {
  switch (why.reason) {
    case 'no_space':
      return `content: ${why.bytes} more bytes do not fit: ${why.used} of ${why.quota} are in use`;
    case 'not_found':
      return `note_id: there is no note ${JSON.stringify(why.id)} of yours`;
    case 'deleted':
      return `note_id: the note ${JSON.stringify(why.id)} was deleted; restore_note restores it`;
    case 'too_large':
      return `content: the note would be ${why.size} bytes of Markdown, and a note can contain at most ${why.limit}`;
    case 'stale':
      return (
        `base_version: the note is at version ${why.version}, not ${why.baseVersion}; ` +
        'read it again and reapply your change'
      );
    case 'name_exists':
      return `name: a notebook ${JSON.stringify(why.name)} already exists there`;
    case 'notebook_limit':
      return `there are already ${why.count} notebooks, and at most ${why.limit} are allowed`;
    case 'no_notebook':
      return `folder_id: there is no notebook ${JSON.stringify(why.id)}`;
    case 'no_parent_notebook':
      return `parent_folder_id: there is no notebook ${JSON.stringify(why.id)}`;
    case 'cycle':
      return 'parent_folder_id: a notebook cannot be moved into itself or a notebook inside it';
  }
}
