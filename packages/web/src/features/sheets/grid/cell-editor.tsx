import { useLayoutEffect, useRef, type ReactNode } from 'react';
import { useStore } from '../../../ui/store.ts';
import { cellName, singleCellRange } from '../cell-geometry.ts';
import { useSheet } from '../sheet-session.ts';
import { HighlightedFormula } from './highlighted-formula.tsx';
import { hasCommandKey } from './key-names.ts';
import { handleGridKey } from './handle-key.ts';
import type { ActionContext } from '../sheet-actions.ts';
import { cssFont } from './font-metrics.ts';
import { SuggestionBox } from './suggestion-box.tsx';

interface ClipboardTools {
  copy(event: ClipboardEvent, cut: boolean): void;
  paste(event: ClipboardEvent): void;
}

/**
 * The text field that receives the keyboard input of the grid. It always lies over the active cell, so that input
 * methods open at the right position, and becomes visible when the user starts to edit the cell.
 */
export function CellEditor({ tools, clipboard }: { tools: ActionContext; clipboard: ClipboardTools }): ReactNode {
  const { session, text } = useSheet();
  const { grid } = tools;
  const field = useRef<HTMLTextAreaElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const edit = useStore(grid.editing.state);
  const selection = useStore(session.selection);
  const current = useStore(session.current);
  const focus = useStore(tools.typing.focus);
  const editsHere = edit !== undefined && edit.tab === current;
  const value = edit?.text ?? '';
  const { row, col } = edit && editsHere ? edit : selection.active;

  useLayoutEffect(() => {
    let placed = '';
    const place = (): void => {
      const element = box.current;
      if (!element || !field.current) return;
      const merge = grid.model.mergeAt(row, col);
      const rect = grid.rectOf(merge ?? singleCellRange(row, col));
      const clip = grid.paneRect(grid.paneOf({ row, col }));
      const x = Math.max(clip.x, Math.min(rect.x, clip.x + clip.width - 40));
      const y = Math.max(clip.y, Math.min(rect.y, clip.y + clip.height - 24));
      const font = cssFont(grid.model.cell(row, col).look, grid.theme.family);
      // This function runs in every frame while scrolling, so it does not set unchanged styles again.
      const now = `${Math.round(x)} ${Math.round(y)} ${rect.width} ${rect.height} ${clip.width} ${clip.height} ${font}`;
      if (now === placed && !grid.editing.state.get()) return;
      placed = now;
      element.style.transform = `translate(${Math.round(x) - 1}px, ${Math.round(y) - 1}px)`;
      field.current.style.font = font;
      // Fit the field to its text: at least as large as the cell, at most up to the edge of the grid.
      const most = clip.x + clip.width - x - 4;
      element.style.width = `${rect.width + 1}px`;
      element.style.height = `${rect.height + 1}px`;
      if (grid.editing.state.get()) {
        const longest = field.current.value
          .split('\n')
          .reduce((wide, line) => Math.max(wide, measure(line, field.current!.style.font)), 0);
        element.style.width = `${Math.min(most, Math.max(rect.width + 1, longest + 22))}px`;
        field.current.style.height = '0px';
        const need = field.current.scrollHeight;
        field.current.style.height = '';
        element.style.height = `${Math.min(clip.y + clip.height - y - 4, Math.max(rect.height + 1, need + 2))}px`;
      }
    };
    place();
    return grid.subscribe(place);
  }, [grid, row, col, value, edit]);

  useLayoutEffect(() => {
    const element = field.current;
    if (!element || (edit && edit.where !== 'cell')) return;
    if (focus > 0) element.focus({ preventScroll: true });
    if (edit) element.setSelectionRange(edit.caret[0], edit.caret[1]);
    // `edit`, which contains the caret, is deliberately not a dependency of this effect, because the browser controls
    // the caret while the user types.
  }, [focus]);

  return (
    <div
      ref={box}
      className={`absolute top-0 left-0 z-10 ${editsHere ? 'rounded-[2px] bg-raised shadow-float outline-2 outline-accent' : 'pointer-events-none opacity-0'}`}
    >
      {editsHere && (
        <HighlightedFormula
          text={value}
          isDark={grid.theme.isDark}
          className="pointer-events-none absolute inset-0 overflow-hidden px-[6px] py-[3px] break-words whitespace-pre-wrap"
          font={cssFont(grid.model.cell(row, col).look, grid.theme.family)}
        />
      )}
      <textarea
        ref={field}
        rows={1}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        aria-label={text('cellText', { cell: cellName(row, col) })}
        aria-autocomplete="list"
        data-grid-field
        data-focus-home
        readOnly={!session.mayWrite}
        className={
          'block h-full w-full resize-none overflow-hidden bg-transparent px-[6px] py-[3px] outline-none ' +
          `${value.startsWith('=') ? 'text-transparent caret-ink' : 'text-ink'}`
        }
        value={value}
        onChange={(event) => {
          const { value: typed, selectionStart, selectionEnd } = event.target;
          if (!tools.typing.isEditing) tools.typing.begin(typed);
          else {
            if (edit?.where === 'bar') grid.editing.updateMode({ where: 'cell' });
            tools.typing.change(typed, [selectionStart, selectionEnd]);
          }
          const { inputType, isComposing } = event.nativeEvent as InputEvent;
          if (inputType === 'insertText' && !isComposing) tools.typing.complete();
        }}
        onSelect={({ currentTarget: { value: shown, selectionStart, selectionEnd } }) => {
          const now = grid.editing.state.get();
          // Ignore a select event that the key that started the edit has fired before the field shows the edited text.
          if (now?.where === 'cell' && now.text === shown) grid.editing.moveCaret([selectionStart, selectionEnd]);
        }}
        onKeyDown={(event) => {
          const { nativeEvent: pressed, currentTarget } = event;
          const isHeld =
            !isForBrowser(pressed) && session.keyQueue.enqueue(() => replayKey(pressed, currentTarget, tools));
          if (isHeld || press(pressed, currentTarget, tools)) {
            event.preventDefault();
            event.stopPropagation();
          }
        }}
        onFocus={() => {
          grid.isLeft = false;
        }}
        onCopy={(event) => !tools.typing.isEditing && clipboard.copy(event.nativeEvent, false)}
        onCut={(event) => !tools.typing.isEditing && clipboard.copy(event.nativeEvent, true)}
        onPaste={(event) => {
          const { nativeEvent: pasted } = event;
          if (session.keyQueue.isQueueing) {
            const later = new ClipboardEvent('paste', { clipboardData: copyClipboardData(pasted), cancelable: true });
            session.keyQueue.enqueue(() => !tools.typing.isEditing && clipboard.paste(later));
            event.preventDefault();
          } else if (!tools.typing.isEditing) clipboard.paste(pasted);
        }}
      />
      {editsHere && edit.where === 'cell' && <SuggestionBox typing={tools.typing} />}
    </div>
  );
}

/** Handles a key in the grid or in the open editor. Returns whether the key was consumed. */
function press(event: KeyboardEvent, field: HTMLTextAreaElement, tools: ActionContext): boolean {
  return tools.typing.isEditing ? tools.typing.key(event, field) : handleGridKey(event, tools);
}

/**
 * Handles a key that was queued while a new sub-sheet was being created. The browser does not handle such a key itself,
 * so this function also inserts or deletes the character.
 */
function replayKey(event: KeyboardEvent, field: HTMLTextAreaElement, tools: ActionContext): void {
  if (press(event, field, tools) || hasCommandKey(event) || event.altKey) return;
  const { typing, grid } = tools;
  const edit = grid.editing.state.get();
  if (event.key === 'Backspace' && edit) {
    const at = Math.max(0, edit.caret[0] - 1);
    typing.change(edit.text.slice(0, at) + edit.text.slice(edit.caret[1]), [at, at]);
  } else if (event.key.length === 1 && edit) {
    const at = edit.caret[0] + 1;
    typing.change(edit.text.slice(0, edit.caret[0]) + event.key + edit.text.slice(edit.caret[1]), [at, at]);
  } else if (event.key.length === 1) typing.begin(event.key);
}

/**
 * Returns whether the key must be left to the browser. The browser turns such keys into clipboard or input method
 * events, and the page handles those events instead of the keys.
 */
function isForBrowser(event: KeyboardEvent): boolean {
  return event.isComposing || (hasCommandKey(event) && /^[cvx]$/i.test(event.key));
}

/**
 * Copies the data of a clipboard event for a later paste, because the browser makes it readable only during the event.
 */
function copyClipboardData({ clipboardData }: ClipboardEvent): DataTransfer {
  const kept = new DataTransfer();
  for (const type of clipboardData?.types ?? []) {
    const text = clipboardData!.getData(type);
    if (text !== '') kept.setData(type, text);
  }
  return kept;
}

const measuring = document.createElement('canvas').getContext('2d')!;

function measure(text: string, font: string): number {
  measuring.font = font;
  return measuring.measureText(text).width;
}
