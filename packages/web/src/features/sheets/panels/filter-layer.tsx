import { ArrowDownAZ, ArrowUpZA, Filter as FilterIcon, FilterX, ListFilter, type LucideIcon } from 'lucide-react';
import { useMemo, useRef, useState, type ReactNode } from 'react';
import { errorMessage } from '../../../lib/api-client.ts';
import { useLanguage, useTranslation, type MessageKey, type Translate } from '../../../i18n/use-translation.ts';
import { Button } from '../../../ui/button.tsx';
import { TextInput } from '../../../ui/form-fields.tsx';
import { Popover } from '../../../ui/popover.tsx';
import { SkeletonLines } from '../../../ui/status-placeholders.tsx';
import { showToast, showErrorToast } from '../../../ui/toast.tsx';
import { CellOverlay, useVisibleRange } from '../grid-overlay.tsx';
import { columnName, rangeContains, rangeOfRegion, regionFields } from '../cell-geometry.ts';
import { useSession, useSheet, type SheetSession, type ToolOutput } from '../sheet-session.ts';
import { FilterCondition } from './filter-condition-fields.tsx';
import { affectsObjects, refetchTool, useLiveQuery } from './live-query.ts';
import { requestSort } from './sort-dialog.tsx';
import { detectSelectedTable } from './detect-table.ts';

type Filter = ToolOutput<'get_filters'>['filters'][number];
type Value = NonNullable<ToolOutput<'get_filters'>['values']>[number];

const maxShown = 300;

/** Removes the filter that contains the active cell, or else adds a filter to the selected table. */
export async function toggleFilter({ session, text }: { session: SheetSession; text: Translate }): Promise<void> {
  const tab = session.tab.id;
  const { filters } = await session.read('get_filters', { sheet_id: tab });
  const { active } = session.selection.get();
  const here = filters.find((one) => rangeContains(rangeOfRegion(one), active.row, active.col));
  if (here) await session.write('remove_filter', { sheet_id: tab, filter_id: here.filter_id });
  else {
    const table = await detectSelectedTable(session);
    if (!table) showToast(text('nothingToFilter'));
    else await session.write('set_filter', { sheet_id: tab, ...regionFields(table.range) });
  }
  await refetchTool(session, 'get_filters');
}

/** Shows a filter button in each visible header cell of the filters. */
export function FilterLayer(): ReactNode {
  const { data } = useLiveQuery('get_filters', {}, affectsObjects);
  const viewport = useVisibleRange();
  if (!data || !viewport) return null;
  return data.filters.flatMap((filter) => {
    const columns = Array.from(
      { length: filter.end_col - filter.start_col + 1 },
      (_, index) => filter.start_col + index,
    );
    // The first 30 columns are always included, because they may be frozen and are then visible at any scroll position.
    return columns
      .filter((col) => (col >= viewport.left - 1 && col <= viewport.right + 1) || col < 30)
      .map((col) => <Heading key={`${filter.filter_id}:${col}`} filter={filter} col={col} />);
  });
}

function Heading({ filter, col }: { filter: Filter; col: number }): ReactNode {
  const text = useTranslation();
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const active = filter.columns.some((one) => one.col === col);
  return (
    <CellOverlay row={filter.start_row} col={col} className="pointer-events-none">
      <button
        ref={button}
        type="button"
        aria-label={text(active ? 'filteredColumn' : 'filterColumn', { name: columnName(col) })}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        onPointerDown={(event) => event.stopPropagation()}
        onDoubleClick={(event) => event.stopPropagation()}
        className={
          'pointer-events-auto absolute right-1 bottom-1/2 flex size-5 translate-y-1/2 items-center ' +
          'justify-center rounded border shadow-xs pointer-coarse:size-7 ' +
          `${active ? 'border-accent bg-accent text-accent-ink' : 'border-line bg-raised text-soft hover:text-ink'}`
        }
      >
        {active ? <FilterIcon size={12} /> : <ListFilter size={12} />}
      </button>
      {open && (
        <Popover
          button={button}
          label={text('filterColumn', { name: columnName(col) })}
          align="end"
          className="flex w-72 flex-col gap-2"
          onClose={() => setOpen(false)}
        >
          <Choices filter={filter} col={col} onClose={() => setOpen(false)} />
        </Popover>
      )}
    </CellOverlay>
  );
}

function Choices({ filter, col, onClose }: { filter: Filter; col: number; onClose: () => void }): ReactNode {
  const { session, text } = useSheet();
  const [openedAt] = useState(Date.now);
  const { data, dataUpdatedAt, error } = useLiveQuery(
    'get_filters',
    { filter_id: filter.filter_id, col },
    affectsObjects,
  );
  const run = (work: Promise<unknown>): void => {
    work.then(() => refetchTool(session, 'get_filters')).catch(showErrorToast);
    onClose();
  };
  const sort = (ascending: boolean): void =>
    run(requestSort(session, rangeOfRegion(filter), true, [{ col, ascending }]));
  const on = { sheet_id: session.tab.id, filter_id: filter.filter_id };
  const entry = (label: MessageKey, Icon: LucideIcon, act: () => void): ReactNode => (
    <button
      type="button"
      className="flex items-center gap-2.5 rounded-lg px-2 py-1.5 text-left text-[0.933rem] hover:bg-hover"
      onClick={act}
    >
      <Icon size={16} className="text-soft" /> {text(label)}
    </button>
  );
  return (
    <>
      {session.mayWrite && (
        <div className="flex flex-col border-b border-line pb-2">
          {entry('sortUp', ArrowDownAZ, () => sort(true))}
          {entry('sortDown', ArrowUpZA, () => sort(false))}
          {entry('removeFilter', FilterX, () => run(session.write('remove_filter', on)))}
        </div>
      )}
      {/* Do not show values that were cached when the menu was opened earlier, because the list sets its ticks only
          once, from the first values that it gets. */}
      {data?.values && dataUpdatedAt >= openedAt ? (
        <CheckList
          key={filter.filter_id + col}
          values={data.values}
          truncated={data.truncated ?? false}
          onApply={(visible) => run(apply(session, filter, col, visible))}
          onClose={onClose}
        />
      ) : error ? (
        <p className="text-danger">{errorMessage(error)}</p>
      ) : (
        <SkeletonLines count={4} className="h-7" />
      )}
    </>
  );
}

/**
 * Sets which values of a column the filter shows. If `visible` is undefined, it shows all values, including values
 * added later.
 *
 * The server has no operation that clears the criteria of one column. To show all values, the filter is therefore
 * deleted and created again without criteria for this column, as a single undo step.
 */
async function apply(session: SheetSession, filter: Filter, col: number, visible: string[] | undefined): Promise<void> {
  const sheet_id = session.tab.id;
  const { filter_id } = filter;
  if (visible) {
    await session.write('update_filter', { sheet_id, filter_id, columns: [{ col, visible_values: visible }] });
    return;
  }
  const others = filter.columns.filter((one) => one.col !== col);
  await session.write('batch', {
    calls: [
      { tool: 'remove_filter', arguments: { sheet_id, filter_id } },
      { tool: 'set_filter', arguments: { sheet_id, filter_id, ...regionFields(rangeOfRegion(filter)) } },
      ...(others.length === 0 ? [] : [{ tool: 'update_filter', arguments: { sheet_id, filter_id, columns: others } }]),
    ],
  });
}

function CheckList({
  values,
  truncated,
  onApply,
  onClose,
}: {
  values: readonly Value[];
  truncated: boolean;
  onApply: (visible: string[] | undefined) => void;
  onClose: () => void;
}): ReactNode {
  const text = useTranslation();
  const language = useLanguage();
  const session = useSession();
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState(
    () => new Set(values.filter(({ visible }) => visible).map((value) => value.text)),
  );
  const ordered = useMemo(() => {
    const compare = new Intl.Collator(language, { numeric: true }).compare;
    return [...values].sort((a, b) => Number(a.text === '') - Number(b.text === '') || compare(a.text, b.text));
  }, [values, language]);
  const wanted = search.trim().toLowerCase();
  const found = wanted === '' ? ordered : ordered.filter((value) => value.text.toLowerCase().includes(wanted));
  const allFound = found.length > 0 && found.every((value) => chosen.has(value.text));
  const toggleAll = (): void => {
    const next = new Set(chosen);
    for (const value of found) {
      if (allFound) next.delete(value.text);
      else next.add(value.text);
    }
    setChosen(next);
  };
  const toggle = (value: string): void => {
    const next = new Set(chosen);
    if (!next.delete(value)) next.add(value);
    setChosen(next);
  };
  const submit = (): void => onApply(chosen.size === values.length && !truncated ? undefined : [...chosen]);
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {session.mayWrite && <FilterCondition values={values.map((value) => value.text)} onChoose={setChosen} />}
      <TextInput
        aria-label={text('searchValues')}
        placeholder={text('searchValues')}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      <label className="flex items-center gap-2 border-b border-line px-1 pb-2 text-sm font-medium">
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={allFound}
          disabled={!session.mayWrite}
          onChange={toggleAll}
        />
        {text('selectAll')}
        <span className="ml-auto font-normal text-faint">{found.length}</span>
      </label>
      <div role="group" aria-label={text('values')} className="scroll-thin flex max-h-56 flex-col overflow-y-auto">
        {found.slice(0, maxShown).map((value) => (
          <label
            key={value.text}
            className="flex items-center gap-2 rounded px-1 py-0.5 text-sm hover:bg-hover pointer-coarse:py-2"
          >
            <input
              type="checkbox"
              className="size-4 shrink-0 accent-accent"
              checked={chosen.has(value.text)}
              disabled={!session.mayWrite}
              onChange={() => toggle(value.text)}
            />
            <span className={`min-w-0 truncate ${value.text === '' ? 'text-faint italic' : ''}`}>
              {value.text === '' ? text('blank') : value.text}
            </span>
            <span className="ml-auto text-faint">{value.count}</span>
          </label>
        ))}
        {found.length > maxShown && (
          <p className="px-1 py-1 text-sm text-faint">{text('moreValues', { count: found.length - maxShown })}</p>
        )}
      </div>
      {truncated && <p className="text-sm text-warn">{text('valuesTruncated')}</p>}
      <div className="flex justify-end gap-2 pt-1">
        <Button variant="quiet" onClick={onClose}>
          {text('cancel')}
        </Button>
        {session.mayWrite && (
          <Button type="submit" variant="primary">
            {text('apply')}
          </Button>
        )}
      </div>
    </form>
  );
}
