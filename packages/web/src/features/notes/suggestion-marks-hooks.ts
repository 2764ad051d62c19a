import { useEffect, useRef, useState, type RefObject } from 'react';
import type { Autosave } from './autosave.ts';
import type { EditorHandle } from './rich-editor.tsx';
import { drawSuggestions } from './suggestion-marks.ts';
import type { OpenChange } from './suggestions.ts';

/** Delay after a change of the note until the places of the suggested changes are found again. */
const settleMs = 200;

/**
 * Returns the text of the note, and how often the shown note has settled after a change: its editor may have been
 * replaced, or be ahead of the text.
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
  /** Says who suggests a change. */
  label: (change: OpenChange) => string;
  /** The names that `label` uses; they may be loaded after the suggestions. */
  names: string;
  settledCount: number;
  /** Called with the key of a change on whose inserted text in the note the user clicked. */
  onChoose: (key: string) => void;
}

/** Draws the suggested changes in the note while it is edited, and removes them when the note is left. */
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
      // A click in text of the note is one to write there: drawing anew would take the caret away.
      const mark = (target as Element).closest<HTMLElement>('ins[data-suggestion]');
      if (mark) choose.current(mark.dataset['suggestion']!);
    };
    pane?.addEventListener('click', click);
    return () => pane?.removeEventListener('click', click);
  }, [panel]);
}
