import { isMac } from '../../lib/keys.ts';

/** Signs are named by their key: with Shift they are others, and those others differ between keyboards. */
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

/** Ctrl, or Cmd on a Mac. */
export function isCommand(event: KeyboardEvent): boolean {
  return isMac ? event.metaKey : event.ctrlKey;
}

/** What a key is called in the list of shortcuts, "Ctrl+Shift+L"; by its sign, and by its place on the keyboard. */
export function keyNames(event: KeyboardEvent): readonly string[] {
  const held = `${isCommand(event) ? 'Ctrl+' : ''}${event.altKey ? 'Alt+' : ''}${event.shiftKey ? 'Shift+' : ''}`;
  const key = event.key === ' ' ? 'Space' : event.key.length === 1 ? event.key.toUpperCase() : event.key;
  const place = signs[event.code] ?? /^Digit(\d)$/.exec(event.code)?.[1];
  return place === undefined ? [held + key] : [held + key, held + place];
}
