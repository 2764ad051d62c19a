import { useEffect } from 'react';

export const isMac = /mac|iphone|ipad/i.test(navigator.userAgent);
export const commandKeyLabel = isMac ? '⌘' : 'Ctrl';

/** Registers a global shortcut of Ctrl (Cmd on a Mac) and a letter. It works with the focus on any element. */
export function useCommandShortcut(letter: string, run: () => void): void {
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => {
      if (
        (isMac ? event.metaKey : event.ctrlKey) &&
        !event.altKey &&
        !event.shiftKey &&
        event.key.toLowerCase() === letter
      ) {
        event.preventDefault();
        run();
      }
    };
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, [letter, run]);
}

/**
 * Registers a global shortcut of a single key. It is ignored while the focus is in a text field or a dialog is open.
 */
export function useKeyShortcut(key: string, run: () => void): void {
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => {
      const at = event.target as HTMLElement;
      if (
        event.key !== key ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        at.isContentEditable ||
        // While the editor of a note is loading, the read-only text receives the typed keys. It is not editable, but
        // has the role `textbox`.
        at.closest('input, textarea, select, [role=textbox]') ||
        document.querySelector('dialog[open]')
      )
        return;
      event.preventDefault();
      run();
    };
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, [key, run]);
}
