import { ChevronDown } from 'lucide-react';
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { Popover } from '../../../../ui/popover.tsx';
import { useStore } from '../../../../ui/store.ts';
import { showErrorToast } from '../../../../ui/toast.tsx';
import { CellOverlay } from '../../grid-overlay.tsx';
import { cellName, type Cell } from '../../cell-geometry.ts';
import { useSession, useSheet } from '../../sheet-session.ts';
import { affectsObjects, useLiveQuery } from '../live-query.ts';
import { listValues, ruleAt, type Validation } from './validation-rule.ts';

/** Shows the input prompt of the active cell's validation rule, and the button of its dropdown list. */
export function ValidationLayer(): ReactNode {
  const session = useSession();
  const { active } = useStore(session.selection);
  const { data } = useLiveQuery('list_objects', { object_types: ['validation'] }, affectsObjects);
  const rules = (data?.validations ?? []) as unknown as readonly Validation[];
  const rule = ruleAt(rules, active);
  if (!rule) return null;
  const isList = rule.kind === 'list' && rule.hide_list !== true && session.mayWrite;
  return (
    <>
      {isList && <DropDown key={cellName(active.row, active.col)} rule={rule} cell={active} />}
      {rule.prompt !== undefined && <Prompt rule={rule} cell={active} />}
    </>
  );
}

function Prompt({ rule, cell }: { rule: Validation; cell: Cell }): ReactNode {
  return (
    <CellOverlay row={cell.row} col={cell.col} className="pointer-events-none z-10">
      <div
        role="note"
        className="absolute top-full left-0 mt-1.5 w-max max-w-64 rounded-lg border border-line bg-raised px-3 py-2 text-sm whitespace-pre-wrap shadow-float"
      >
        {rule.prompt_title !== undefined && <p className="font-medium">{rule.prompt_title}</p>}
        <p className="text-soft">{rule.prompt}</p>
      </div>
    </CellOverlay>
  );
}

function DropDown({ rule, cell }: { rule: Validation; cell: Cell }): ReactNode {
  const { session, text } = useSheet();
  const button = useRef<HTMLButtonElement>(null);
  const wish = useStore(session.openRequest);
  const [before] = useState(wish);
  const [open, setOpen] = useState(false);
  // Open the dropdown list when Alt+Down is pressed in the cell. A request from before the cell was selected is
  // ignored.
  useEffect(() => {
    if (wish !== before && wish?.what === 'list') setOpen(true);
  }, [wish, before]);
  const close = (): void => {
    setOpen(false);
    session.focusCells();
  };
  const choose = (value: string): void => {
    close();
    session
      .write('enter_cells', { sheet_id: session.tab.id, start_row: cell.row, start_col: cell.col, rows: [[value]] })
      .catch(showErrorToast);
  };
  return (
    <CellOverlay row={cell.row} col={cell.col} className="pointer-events-none">
      <button
        ref={button}
        type="button"
        tabIndex={-1}
        aria-label={text('chooseValue')}
        aria-haspopup="listbox"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        onPointerDown={(event) => event.stopPropagation()}
        onDoubleClick={(event) => event.stopPropagation()}
        className={
          'pointer-events-auto absolute top-1/2 left-full ml-0.5 flex size-5 -translate-y-1/2 items-center justify-center ' +
          'rounded border border-line bg-raised text-soft shadow-xs hover:text-ink pointer-coarse:size-7'
        }
      >
        <ChevronDown size={13} />
      </button>
      {open && (
        <Popover button={button} label={text('chooseValue')} align="end" className="w-56 p-1" onClose={close}>
          <Values rule={rule} cell={cell} onChoose={choose} />
        </Popover>
      )}
    </CellOverlay>
  );
}

function Values({
  rule,
  cell,
  onChoose,
}: {
  rule: Validation;
  cell: Cell;
  onChoose: (value: string) => void;
}): ReactNode {
  const { session, text } = useSheet();
  const list = useRef<HTMLUListElement>(null);
  const [values, setValues] = useState<readonly string[]>();
  useEffect(() => {
    let gone = false;
    listValues(session, rule, cell).then((found) => !gone && setValues(found), showErrorToast);
    return () => {
      gone = true;
    };
  }, [session, rule, cell]);
  useEffect(() => {
    if (values) list.current?.querySelector<HTMLElement>('[role=option]')?.focus();
  }, [values]);
  const walk = (event: KeyboardEvent): void => {
    const options = [...(list.current?.querySelectorAll<HTMLElement>('[role=option]') ?? [])];
    const at = options.indexOf(document.activeElement as HTMLElement);
    const letter =
      event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey ? event.key.toLowerCase() : '';
    const byLetter = [...options.slice(at + 1), ...options].find(
      (one) => letter.trim() !== '' && one.textContent.toLowerCase().startsWith(letter),
    );
    const byKey: Readonly<Record<string, HTMLElement | undefined>> = {
      ArrowDown: options[Math.min(at + 1, options.length - 1)],
      ArrowUp: options[Math.max(0, at - 1)],
      Home: options[0],
      End: options.at(-1),
    };
    const next = byKey[event.key] ?? byLetter;
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  if (!values) return <p className="px-2 py-1.5 text-soft">…</p>;
  if (values.length === 0) return <p className="px-2 py-1.5 text-soft">{text('noListValues')}</p>;
  return (
    <ul
      ref={list}
      role="listbox"
      aria-label={text('chooseValue')}
      className="scroll-thin max-h-64 overflow-y-auto"
      onKeyDown={walk}
    >
      {values.map((value) => (
        <li
          key={value}
          role="option"
          aria-selected={false}
          tabIndex={-1}
          className="cursor-pointer truncate rounded-md px-2 py-1 hover:bg-hover focus:bg-accent-soft focus:outline-none"
          onClick={() => onChoose(value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' && event.key !== ' ' && event.key !== 'Tab') return;
            event.preventDefault();
            event.stopPropagation();
            onChoose(value);
          }}
        >
          {value}
        </li>
      ))}
    </ul>
  );
}
