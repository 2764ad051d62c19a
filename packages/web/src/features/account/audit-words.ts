import type { MessageKey } from '../../i18n/use-translation.ts';

/**
 * Patterns for the start of an operation name, such as `update_note`, each with the translation key of the verb that
 * the audit log shows. The first match wins, so specific patterns come first.
 */
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

/**
 * Returns the translation key of the verb for an operation such as `note.update_note`. Operations without a specific
 * verb get the key of "changed".
 */
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

/**
 * Returns the translation key of the word for the type of object that an id belongs to, such as "note" for `note_...`.
 * Undefined if the type is unknown.
 */
export function kindOf(target: string): MessageKey | undefined {
  return kinds.find(([prefix]) => target.startsWith(prefix))?.[1];
}

/** Formats a table as CSV. A text that a spreadsheet would read as a formula gets a leading apostrophe. */
export function toCsv(rows: readonly (readonly string[])[]): string {
  const cell = (text: string): string => {
    const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return rows.map((row) => `${row.map(cell).join(',')}\n`).join('');
}
