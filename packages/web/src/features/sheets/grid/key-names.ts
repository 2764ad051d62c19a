import { isMac } from '../../../lib/keyboard-shortcuts.ts';

/**
 * Punctuation of the US keyboard by physical key code, to recognize shortcuts with Shift. The character typed with
 * Shift depends on the keyboard layout, but the key code does not.
 */
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

/** Returns whether Ctrl, or Cmd on a Mac, is pressed. */
export function hasCommandKey(event: KeyboardEvent): boolean {
  return isMac ? event.metaKey : event.ctrlKey;
}

/**
 * Returns the names of a key press as used in the shortcut list, such as "Ctrl+Shift+L". A digit or punctuation key has
 * two names: by typed character and by physical key.
 */
export function keyNames(event: KeyboardEvent): readonly string[] {
  const held = `${hasCommandKey(event) ? 'Ctrl+' : ''}${event.altKey ? 'Alt+' : ''}${event.shiftKey ? 'Shift+' : ''}`;
  const key = event.key === ' ' ? 'Space' : event.key.length === 1 ? event.key.toUpperCase() : event.key;
  const place = signs[event.code] ?? /^Digit(\d)$/.exec(event.code)?.[1];
  return place === undefined ? [held + key] : [held + key, held + place];
}
