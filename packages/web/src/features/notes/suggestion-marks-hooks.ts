import { useEffect, useRef, useState, type RefObject } from 'react';
import type { Autosave } from './autosave.ts';
import type { EditorHandle } from './rich-editor.tsx';
import { drawSuggestions } from './suggestion-marks.ts';
import type { OpenChange } from './suggestions.ts';

/**
 * Delay in milliseconds between a change of the note and the next search for the positions of the suggested changes.
 */
const settleMs = 200;

/**
 * Returns the text of the note, and a counter that increases after each pause in the changes of the displayed note. The
 * caller draws the suggestions again when the counter changes, even if the text is the same, because the editor may
 * have been replaced.
 */
export function useSettledText(panel: RefObject<HTMLElement | null>, save: Autosave): { text: string; count: number } {
  const [settled, setSettled] = useState({ text: save.text, count: 0 });
  useEffect(() => {
    const pane = panel.current?.parentElement;
    if (!pane) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new MutationObserver((changes) => {
      if (changes.every(({ target }) => panel.current?.contains(target))) return;
      clearTimeout(timer);
      timer = setTimeout(() => setSettled(({ count }) => ({ text: save.text, count: count + 1 })), settleMs);
    });
    observer.observe(pane, { childList: true, subtree: true, characterData: true });
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [panel, save]);
  return settled;
}

interface Marks {
  panel: RefObject<HTMLElement | null>;
  editor: RefObject<EditorHandle | null>;
  place: ((markdown: string) => readonly OpenChange[]) | undefined;
  active: string | undefined;
  /** Returns the tooltip of a drawn change, which names its author. */
  label: (change: OpenChange) => string;
  /**
   * The author names that `label` puts into its tooltips. They may be loaded after the suggestions, so the marks are
   * redrawn when the names change.
   */
  names: string;
  settledCount: number;
  /** Called with the key of a change when the user clicks its inserted text in the note. */
  onChoose: (key: string) => void;
}

/**
 * Draws the suggested changes in the note, and draws them again after edits of the note. Calls `onChoose` when the user
 * clicks an inserted text.
 */
export function useSuggestionMarks({
  panel,
  editor,
  place,
  active,
  label,
  names,
  settledCount,
  onChoose,
}: Marks): void {
  const labels = useRef(label);
  labels.current = label;
  const choose = useRef(onChoose);
  choose.current = onChoose;
  useEffect(() => {
    if (place) editor.current?.decorate?.((now) => drawSuggestions(now, place, { active, label: labels.current }));
  }, [editor, place, active, names, settledCount]);
  useEffect(() => {
    const pane = panel.current?.parentElement;
    const click = ({ target }: MouseEvent): void => {
      // Only a click on the inserted text of a suggested change selects the change. Other clicks must not change the
      // selected change, because this would redraw the marks and thereby move the caret.
      const mark = (target as Element).closest<HTMLElement>('ins[data-suggestion]');
      if (mark) choose.current(mark.dataset['suggestion']!);
    };
    pane?.addEventListener('click', click);
    return () => pane?.removeEventListener('click', click);
  }, [panel]);
}
