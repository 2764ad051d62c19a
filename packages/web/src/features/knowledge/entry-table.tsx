import { ArrowDown, ArrowUp, Check, Columns3, X } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import type { ListSelection } from '../../ui/list-selection.ts';
import { columnLabels, columns, type Column, type SortOrder } from './list-view-options.ts';
import { EntryRow } from './entry-row.tsx';
import { setItemOrder } from './item-order.ts';
import { entryId, type Entry } from './queries.ts';

interface Props {
  base: string;
  entries: readonly Entry[];
  mayEdit: boolean;
  chosen: ListSelection;
  order: SortOrder | undefined;
  onSort: (by: SortOrder['by']) => void;
  shown: ReadonlySet<Column>;
  onToggle: (column: Column) => void;
  onTag: (tag: string) => void;
}

/**
 * Shows the entries of a folder as a table. On narrow screens the only column is the name, with the main details
 * below it.
 */
export function EntryTable({
  base,
  entries,
  mayEdit,
  chosen,
  order,
  onSort,
  shown,
  onToggle,
  onTag,
}: Props): ReactNode {
  const text = useTranslation();
  const visible = columns.filter((column) => shown.has(column));
  useEffect(() => {
    const ids = entries.flatMap((entry) => (entry.media_id === undefined ? [] : [entry.media_id]));
    setItemOrder(base, ids);
  }, [base, entries]);
  return (
    <table
      aria-label={text('contents')}
      className="w-full table-fixed border-collapse text-left"
      onKeyDown={(event) => event.key === 'Escape' && chosen.clear()}
    >
      <thead className="text-xs text-faint max-sm:hidden">
        <tr className="border-b border-line">
          {mayEdit && <td className="w-9" />}
          <SortHead by="name" order={order} onSort={onSort} />
          {visible.map((column) =>
            column === 'tags' ? (
              <th key={column} scope="col" className={`px-2 py-1.5 font-medium ${widths.tags}`}>
                {text('tags')}
              </th>
            ) : (
              <SortHead key={column} by={column} order={order} onSort={onSort} className={widths[column]} />
            ),
          )}
          <td className="w-11">
            <Menu
              trigger={
                <IconButton label={text('listColumns')} className="size-8">
                  <Columns3 size={15} />
                </IconButton>
              }
              entries={columns.map((column) => ({
                label: text(columnLabels[column]),
                icon: shown.has(column) ? <Check size={15} /> : undefined,
                run: () => onToggle(column),
              }))}
            />
          </td>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <EntryRow
            key={entryId(entry)}
            base={base}
            entry={entry}
            mayEdit={mayEdit}
            chosen={chosen}
            columns={visible}
            onTag={onTag}
          />
        ))}
      </tbody>
    </table>
  );
}

const widths: Record<Column, string> = { kind: 'w-28', tags: 'w-40', size: 'w-24', changed: 'w-28' };

interface SortHeadProps {
  by: SortOrder['by'];
  order: SortOrder | undefined;
  onSort: (by: SortOrder['by']) => void;
  className?: string;
}

function SortHead({ by, order, onSort, className = '' }: SortHeadProps): ReactNode {
  const text = useTranslation();
  const isHere = order?.by === by;
  return (
    <th
      scope="col"
      aria-sort={isHere ? (order.isDown ? 'descending' : 'ascending') : 'none'}
      className={`py-1 font-medium ${className}`}
    >
      <button
        type="button"
        onClick={() => onSort(by)}
        className="flex h-7 items-center gap-1 rounded-md px-2 hover:bg-hover hover:text-ink"
      >
        {text(columnLabels[by])}
        {isHere && (order.isDown ? <ArrowDown size={13} /> : <ArrowUp size={13} />)}
      </button>
    </th>
  );
}

interface TagBarProps {
  tags: readonly string[];
  chosen: string | undefined;
  onChoose: (tag: string | undefined) => void;
}

/** Shows the tags of the listed entries as buttons that filter the list. */
export function TagBar({ tags, chosen, onChoose }: TagBarProps): ReactNode {
  const text = useTranslation();
  if (tags.length === 0 && chosen === undefined) return null;
  return (
    <div role="group" aria-label={text('tags')} className="flex flex-wrap gap-1.5 px-2 pt-3">
      {(chosen === undefined || tags.includes(chosen) ? tags : [chosen, ...tags]).map((tag) => (
        <button
          key={tag}
          type="button"
          aria-pressed={tag === chosen}
          onClick={() => onChoose(tag === chosen ? undefined : tag)}
          className={
            'flex max-w-48 items-center gap-1 rounded-full border border-line px-2.5 py-0.5 text-sm text-soft ' +
            'hover:border-strong-line aria-pressed:border-accent aria-pressed:bg-accent-soft ' +
            'aria-pressed:text-accent'
          }
        >
          <span className="truncate">{tag}</span>
          {tag === chosen && <X size={13} aria-hidden />}
        </button>
      ))}
    </div>
  );
}
