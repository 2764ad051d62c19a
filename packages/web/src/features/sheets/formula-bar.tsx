import { Check, X, type LucideIcon } from 'lucide-react';
import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { useStore } from '../../ui/store.ts';
import { rangeName, parseRange } from './cell-geometry.ts';
import { HighlightedFormula } from './grid/highlighted-formula.tsx';
import type { ActionContext } from './sheet-actions.ts';
import { SuggestionBox } from './grid/suggestion-box.tsx';
import { useSheet } from './sheet-session.ts';

export function FormulaBar({ parts }: { parts: ActionContext }): ReactNode {
  const { session, text } = useSheet();
  const { grid, typing } = parts;
  const edit = useStore(grid.editing.state);
  const focus = useStore(typing.focus);
  const { active } = useStore(session.selection);
  useStore(grid.changes);
  const field = useRef<HTMLTextAreaElement>(null);
  const shown = edit?.text ?? grid.model.cell(active.row, active.col).input;
  const isFormula = shown.startsWith('=');
  useLayoutEffect(() => {
    const element = field.current;
    if (!element || edit?.where !== 'bar') return;
    element.focus({ preventScroll: true });
    element.setSelectionRange(edit.caret[0], edit.caret[1]);
    // The caret is deliberately not a dependency of this effect, because the browser controls the caret while the user
    // types.
  }, [focus]);
  return (
    <div className="flex shrink-0 items-stretch border-b border-line bg-paper" data-part>
      <NameBox parts={parts} />
      <div className="flex items-center gap-0.5 border-l border-line px-1.5">
        {edit && (
          <>
            <EditButton label={text('cancel')} icon={X} onClick={() => typing.cancel()} />
            <EditButton label={text('done')} icon={Check} onClick={() => typing.commit()} />
          </>
        )}
        <span aria-hidden className="px-1 font-serif text-[0.933rem] text-faint italic">
          fx
        </span>
      </div>
      <div className="relative min-w-0 flex-1">
        {isFormula && (
          <HighlightedFormula
            text={shown}
            isDark={grid.theme.isDark}
            className="pointer-events-none absolute inset-0 overflow-hidden px-1 py-[7px] text-[0.867rem] leading-[1.2rem] break-words whitespace-pre-wrap"
          />
        )}
        <textarea
          ref={field}
          rows={1}
          spellCheck={false}
          autoComplete="off"
          readOnly={!session.mayWrite}
          aria-label={text('formulaBar')}
          className={
            'block h-8 max-h-40 w-full resize-none overflow-y-auto bg-transparent px-1 py-[7px] text-[0.867rem] ' +
            `leading-[1.2rem] outline-none ${edit?.where === 'bar' ? 'field-sizing-content min-h-8' : ''} ` +
            `${isFormula ? 'text-transparent caret-ink' : ''}`
          }
          value={shown}
          onFocus={() => {
            if (!typing.isEditing) typing.begin(undefined, 'bar');
            else grid.editing.updateMode({ where: 'bar', quick: false });
          }}
          onChange={(event) =>
            typing.change(event.target.value, [event.target.selectionStart, event.target.selectionEnd])
          }
          onSelect={(event) =>
            grid.editing.state.get()?.where === 'bar' &&
            grid.editing.moveCaret([event.currentTarget.selectionStart, event.currentTarget.selectionEnd])
          }
          onKeyDown={(event) => {
            if (typing.key(event.nativeEvent, event.currentTarget)) {
              event.preventDefault();
              event.stopPropagation();
            }
          }}
        />
        {edit?.where === 'bar' && <SuggestionBox typing={typing} />}
      </div>
    </div>
  );
}

function EditButton({
  label,
  icon: Icon,
  onClick,
}: {
  label: string;
  icon: LucideIcon;
  onClick: () => void;
}): ReactNode {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className="rounded p-1 text-soft hover:bg-hover hover:text-ink"
      onMouseDown={(event) => event.preventDefault()}
      onClick={onClick}
    >
      <Icon size={14} />
    </button>
  );
}

/** Shows the address of the selection. Entering another address selects that range. */
function NameBox({ parts }: { parts: ActionContext }): ReactNode {
  const { session, text } = useSheet();
  const { range } = useStore(session.selection);
  const [typed, setTyped] = useState<string>();
  const { rows, cols } = parts.grid.model;
  const leave = (): void => {
    setTyped(undefined);
    parts.typing.takeFocus();
  };
  const go = (): void => {
    const [place = '', tabName] = (typed ?? '').split('!').toReversed();
    const tab =
      tabName === undefined
        ? session.tab
        : session.tabs.get().find((one) => one.name.toLowerCase() === tabName.replaceAll("'", '').trim().toLowerCase());
    const found = parseRange(place, rows.count, cols.count);
    if (found && tab) session.goTo(tab.id, found);
    leave();
  };
  const wholeCols = range.top === 0 && range.bottom >= rows.count - 1;
  const wholeRows = range.left === 0 && range.right >= cols.count - 1;
  const name =
    wholeCols && !wholeRows
      ? rangeName(range)
          .replaceAll(/\d+/g, '')
          .replace(/^(\w+)$/, '$1:$1')
      : wholeRows && !wholeCols
        ? `${range.top + 1}:${range.bottom + 1}`
        : rangeName(range);
  return (
    <input
      type="text"
      aria-label={text('nameBox')}
      data-name-box
      className="w-24 bg-transparent px-3 text-center text-[0.867rem] font-medium outline-none focus:bg-raised sm:w-28"
      value={typed ?? name}
      onFocus={(event) => {
        setTyped(name);
        event.target.select();
      }}
      onBlur={() => setTyped(undefined)}
      onChange={(event) => setTyped(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== 'Escape') return;
        // Prevent the key's default action. Otherwise the browser would apply the key to the grid's text field, which
        // gets the focus now.
        event.preventDefault();
        if (event.key === 'Enter') go();
        else leave();
      }}
    />
  );
}
