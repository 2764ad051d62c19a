import type { MessageKey } from '../../i18n/use-translation.ts';

/** Beginnings of operation names with what they do, the more specific ones first. */
const verbs: readonly (readonly [pattern: RegExp, word: MessageKey])[] = [
  [/^sign_in|^use_link/, 'didSignIn'],
  [/^sign_out|^end_session/, 'didSignOut'],
  [/^set_password/, 'didSetPassword'],
  [/^(create_public_link|share|add_member|add_group_members)/, 'didShare'],
  [/^(end_public_link|unshare|remove_member|remove_group_members|revoke)/, 'didUnshare'],
  [/^(restore|revert|undo|resume)/, 'didRestore'],
  [/^(delete|clear|forget|empty)/, 'didRemove'],
  [/^(move|rename)/, 'didRename'],
  [/^(create|add|import|upload|copy|new|use)/, 'didAdd'],
  [/^(comment|reply|resolve)/, 'didComment'],
  [/^(suspend)/, 'didSuspend'],
];

/** Returns the word for what an operation such as `note.update_note` did; a change if there is none of its own. */
export function verbOf(operation: string): MessageKey {
  const name = operation.slice(operation.indexOf('.') + 1);
  return verbs.find(([pattern]) => pattern.test(name))?.[1] ?? 'didChange';
}

const kinds: readonly (readonly [prefix: string, word: MessageKey])[] = [
  ['note_', 'kindNote'],
  ['doc_', 'spreadsheet'],
  ['kb_', 'filterBase'],
  ['media_', 'knowledgeItem'],
  ['folder_', 'folder'],
  ['key_', 'apiKey'],
  ['user_', 'user'],
  ['group_', 'group'],
  ['webhook_', 'webhook'],
  ['connection_', 'app'],
  ['session_', 'session'],
];

/** Returns the word for the kind of thing that an id belongs to. */
export function kindOf(target: string): MessageKey | undefined {
  return kinds.find(([prefix]) => target.startsWith(prefix))?.[1];
}

/** Returns a table as CSV. A text that a spreadsheet would take for a formula gets an apostrophe before it. */
export function toCsv(rows: readonly (readonly string[])[]): string {
  const cell = (text: string): string => {
    const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return rows.map((row) => `${row.map(cell).join(',')}\n`).join('');
}
