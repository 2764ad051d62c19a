import type { UseQueryResult } from '@tanstack/react-query';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../../ui/status-placeholders.tsx';
import { showErrorToast } from '../../../ui/toast.tsx';
import { parseRange } from '../cell-geometry.ts';
import { useSession, type ToolName } from '../sheet-session.ts';
import { refetchTool } from './live-query.ts';
import { SmallIconButton, TextField } from './panel-inputs.tsx';

export interface RowTools {
  readonly edit: () => void;
  /** Waits for a write and then refetches the list. Shows the error if the write fails. */
  readonly run: (work: Promise<unknown>) => void;
}

/**
 * Panel that lists objects of the sheet, such as rules, names, comments or protected ranges. It also shows the form
 * that creates or edits an object.
 */
export function ObjectListPanel<Data, Item>({
  query: { data, error },
  tool,
  items,
  label,
  hint,
  empty,
  add,
  onAdd,
  extra,
  form,
  isOrdered = false,
  listClass = 'divide-y divide-line rounded-xl border border-line bg-raised',
  row,
}: {
  query: UseQueryResult<Data>;
  /** The server operation that lists the objects. Its results are refetched after a write. */
  tool: ToolName;
  items: (data: Data) => readonly Item[];
  label: string;
  hint?: string;
  /**
   * Placeholder for an empty list. If it has a `hint`, it also contains the add button, and the hint of the panel is not
   * shown; otherwise the hint and the add button of the panel stand above it.
   */
  empty: { readonly icon: ReactNode; readonly title: string; readonly hint?: string };
  add: string;
  /** Creates an object when the user presses the add button. If unset, the button opens an empty form instead. */
  onAdd?: (run: RowTools['run']) => void;
  extra?: (run: RowTools['run']) => ReactNode;
  form?: (item: Item | undefined, onDone: () => void, all: readonly Item[]) => ReactNode;
  isOrdered?: boolean;
  listClass?: string;
  row: (item: Item, tools: RowTools, index: number, all: readonly Item[]) => ReactNode;
}): ReactNode {
  const session = useSession();
  const [edited, setEdited] = useState<{ readonly item: Item | undefined; readonly all: readonly Item[] }>();
  const run = (work: Promise<unknown>): void => void work.then(() => refetchTool(session, tool)).catch(showErrorToast);
  const done = (): void => {
    setEdited(undefined);
    void refetchTool(session, tool);
  };
  // When another sub-sheet is shown, keep the form open, with the objects of the sub-sheet on which it was opened.
  if (edited && form) return form(edited.item, done, edited.all);
  if (error) return <ErrorState error={error} />;
  if (!data) return <SkeletonLines count={3} />;
  const all = items(data);
  const create = onAdd ?? (() => setEdited({ item: undefined, all }));
  const button = session.mayWrite && (
    <Button variant="primary" onClick={() => create(run)}>
      <Plus size={15} /> {add}
    </Button>
  );
  const isEmpty = all.length === 0;
  if (isEmpty && empty.hint !== undefined)
    return (
      <>
        {extra?.(run)}
        <EmptyState icon={empty.icon} title={empty.title} actions={button}>
          {empty.hint}
        </EmptyState>
      </>
    );
  const List = isOrdered ? 'ol' : 'ul';
  return (
    <div className="flex flex-col gap-3">
      {hint !== undefined && <p className="text-soft">{hint}</p>}
      {button && <div className="flex flex-wrap gap-2">{button}</div>}
      {extra?.(run)}
      {isEmpty ? (
        <EmptyState icon={empty.icon} title={empty.title} />
      ) : (
        <List aria-label={label} className={listClass}>
          {all.map((item, index) => row(item, { edit: () => setEdited({ item, all }), run }, index, all))}
        </List>
      )}
    </div>
  );
}

/**
 * Shows an object's title and details, such as its range. A click on them goes to the object; buttons edit and delete
 * it.
 */
export function ObjectRow({
  icon,
  title,
  detail,
  editLabel,
  deleteLabel,
  onGo,
  onEdit,
  onDelete,
  children,
}: {
  icon?: ReactNode;
  title: ReactNode;
  detail: string;
  editLabel: string;
  deleteLabel: string;
  onGo: () => void;
  onEdit: () => void;
  onDelete: () => void;
  /** Additional buttons. With additional buttons, the row wraps to several lines. */
  children?: ReactNode;
}): ReactNode {
  const { mayWrite } = useSession();
  const wraps = children !== undefined;
  return (
    <li className={`flex items-center px-3 py-2 ${wraps ? 'flex-wrap gap-x-2.5' : 'gap-2'}`}>
      {icon}
      <button
        type="button"
        className={`flex flex-1 flex-col rounded text-left ${wraps ? 'min-w-40' : 'min-w-0'}`}
        onClick={onGo}
      >
        <span className={`w-full ${wraps ? 'break-words' : 'truncate'}`}>{title}</span>
        <span className="w-full truncate font-mono text-xs text-faint">{detail}</span>
      </button>
      {mayWrite && (
        <span className="ml-auto flex shrink-0">
          {children}
          <SmallIconButton icon={Pencil} label={editLabel} onClick={onEdit} />
          <SmallIconButton icon={Trash2} label={deleteLabel} onClick={onDelete} />
        </span>
      )}
    </li>
  );
}

/** Returns a function that selects the first of the given ranges in the current sub-sheet. */
export function useGoToRange(): (ranges: readonly string[]) => void {
  const session = useSession();
  return ([first = '']) => {
    const range = parseRange(first);
    if (range) session.goTo(session.current.get(), range);
  };
}

/** Form that creates or edits an object. The save button is disabled during a save. */
export function ObjectForm({
  label,
  saveLabel,
  isReady,
  save,
  onDone,
  children,
}: {
  label: string;
  saveLabel: string;
  isReady: boolean;
  save: () => Promise<unknown>;
  onDone: () => void;
  children: ReactNode;
}): ReactNode {
  const text = useTranslation();
  const [isSaving, setSaving] = useState(false);
  const submit = async (): Promise<void> => {
    setSaving(true);
    try {
      await save();
      onDone();
    } catch (error) {
      showErrorToast(error);
      setSaving(false);
    }
  };
  return (
    <form
      className="flex flex-col gap-3"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) void submit();
      }}
    >
      {children}
      <div className="flex gap-2 pt-1">
        <Button variant="primary" type="submit" disabled={!isReady || isSaving}>
          {saveLabel}
        </Button>
        <Button variant="quiet" onClick={onDone}>
          {text('cancel')}
        </Button>
      </div>
    </form>
  );
}

/**
 * Parses the text of a RangesField into ranges. Returns undefined if the text is empty or contains an invalid range.
 */
export function parseRanges(written: string): string[] | undefined {
  const named = written.split(/[,;\s]+/).filter(Boolean);
  return named.length === 0 || named.some((one) => !parseRange(one)) ? undefined : named;
}

export function RangesField({ value, onChange }: { value: string; onChange: (value: string) => void }): ReactNode {
  const text = useTranslation();
  return (
    <TextField
      label={text('ruleRanges')}
      hint={text('ruleRangesHint')}
      error={parseRanges(value) ? undefined : text('rangeUnclear')}
      value={value}
      spellCheck={false}
      onChange={onChange}
    />
  );
}

/** Input for the first or second (`index`) comparison value of a rule, such as the limits of "between". */
export function RuleValueField({
  values = [],
  index,
  label,
  hint,
  onChange,
}: {
  values: readonly string[] | undefined;
  index: 0 | 1;
  label: string;
  hint?: string | undefined;
  onChange: (values: string[]) => void;
}): ReactNode {
  return (
    <TextField
      label={label}
      hint={hint}
      value={values[index] ?? ''}
      spellCheck={false}
      onChange={(value) => onChange([values[0] ?? '', values[1] ?? ''].with(index, value))}
    />
  );
}
