import { isMac } from '../../../lib/keyboard-shortcuts.ts';

/** Punctuation keys by their code, because Shift produces other characters depending on the keyboard layout. */
const signs: Readonly<Record<string, string>> = {
  Semicolon: ';',
  Quote: "'",
  Equal: '=',
  Minus: '-',
  Comma: ',',
  Period: '.',
  Slash: '/',
  Backslash: '\\',
  Backquote: '`',
};

/** True if Ctrl, or Cmd on a Mac, is pressed. */
export function hasCommandKey(event: KeyboardEvent): boolean {
  return isMac ? event.metaKey : event.ctrlKey;
}

/**
 * Returns the names of a key press as in the list of shortcuts, such as "Ctrl+Shift+L": by its character and by its key
 * code.
 */
export function keyNames(event: KeyboardEvent): readonly string[] {
  const held = `${hasCommandKey(event) ? 'Ctrl+' : ''}${event.altKey ? 'Alt+' : ''}${event.shiftKey ? 'Shift+' : ''}`;
  const key = event.key === ' ' ? 'Space' : event.key.length === 1 ? event.key.toUpperCase() : event.key;
  const place = signs[event.code] ?? /^Digit(\d)$/.exec(event.code)?.[1];
  return place === undefined ? [held + key] : [held + key, held + place];
}
