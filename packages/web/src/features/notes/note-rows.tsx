import { Link } from '@tanstack/react-router';
import {
  useEffect,
  useRef,
  useState,
  type DragEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
} from 'react';
import { formatTimeAgo, plainExcerpt } from '../../lib/format.ts';
import { HighlightedText } from '../../lib/highlighted-text.tsx';
import { useLanguage, useTranslation } from '../../i18n/use-translation.ts';
import type { ListSelection } from '../../ui/list-selection.ts';
import { useVisibleRows } from '../../ui/virtual-rows.ts';
import { noteDragType } from './move-notes.ts';
import type { NoteEntry, NoteListFilter, NoteOrder } from './queries.ts';

interface NoteRowsProps {
  entries: readonly NoteEntry[];
  filter: NoteListFilter;
  chosen: string | undefined;
  selection: ListSelection;
  /** Called when the visible rows come close to the end of the loaded ones, so that the caller loads more. */
  onNearEnd: () => void;
  onDelete: (ids: readonly string[]) => void;
}

/** Row height in rem: one line for the title and two lines for the excerpt. */
const rowRem = 5;

const rowHeight = (): number => rowRem * parseFloat(getComputedStyle(document.documentElement).fontSize);

/**
 * The list of notes; only the visible rows are rendered. Ctrl-click and Space select a note, Shift extends the
 * selection, arrow keys move between notes, Delete moves the selected notes to the trash.
 */
export function NoteRows({ entries, filter, chosen, selection, onNearEnd, onDelete }: NoteRowsProps): ReactNode {
  const text = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const [height] = useState(rowHeight);
  const { first, end } = useVisibleRows(scroller, entries.length, height);
  const [focused, setFocused] = useState<number>();
  // True from the press of a navigation key, such as an arrow key, until the target row is rendered and gets the focus.
  const isMoving = useRef(false);
  useEffect(() => {
    if (end >= entries.length - 50) onNearEnd();
  }, [end, entries.length, onNearEnd]);
  useEffect(() => {
    if (!isMoving.current || focused === undefined) return;
    isMoving.current = false;
    scroller.current?.querySelector<HTMLElement>(`[data-row="${focused}"] a`)?.focus({ preventScroll: true });
  });
  const goTo = (index: number): void => {
    const element = scroller.current;
    const to = Math.max(0, Math.min(entries.length - 1, index));
    if (!element) return;
    const top = to * height;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + height > element.scrollTop + element.clientHeight)
      element.scrollTop = top + height - element.clientHeight;
    isMoving.current = true;
    setFocused(to);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = focused ?? 0;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? height) / height) - 1);
    const targets: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: entries.length - 1,
    };
    const entry = entries[at];
    if (event.key in targets && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const to = Math.max(0, Math.min(entries.length - 1, targets[event.key]!));
      if (event.shiftKey && entry) selection.toggle(entries[to]!.note.note_id, true, entry.note.note_id);
      goTo(to);
    } else if (event.key === ' ' && entry) selection.toggle(entry.note.note_id, event.shiftKey);
    else if (event.key === 'a' && (event.ctrlKey || event.metaKey))
      selection.set(entries.map((one) => one.note.note_id));
    else if (event.key === 'Escape' && selection.ids.size > 0) selection.clear();
    else if (event.key === 'Delete' && selection.ids.size > 0) onDelete([...selection.ids]);
    else return;
    event.preventDefault();
  };
  const rows = Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index);
  // Keep the focused row rendered when it is scrolled out of view. Removing it would also remove the focus.
  if (focused !== undefined && focused < entries.length && (focused < first || focused >= end)) rows.push(focused);
  return (
    <div ref={scroller} className="scroll-thin min-h-0 flex-1 overflow-y-auto p-2">
      <ul
        className="relative"
        style={{ height: entries.length * height }}
        aria-label={text('notes')}
        onKeyDown={onKeyDown}
        onFocus={(event) => {
          const row = (event.target as HTMLElement).closest<HTMLElement>('[data-row]')?.dataset['row'];
          if (row !== undefined) setFocused(Number(row));
        }}
        onBlur={(event) =>
          !event.currentTarget.contains(event.relatedTarget) && !isMoving.current && setFocused(undefined)
        }
      >
        {rows.map((index) => (
          <li
            key={entries[index]!.note.note_id}
            data-row={index}
            aria-setsize={entries.length}
            aria-posinset={index + 1}
            className="absolute inset-x-0 pb-0.5"
            style={{ top: index * height, height }}
          >
            <NoteRow
              entry={entries[index]!}
              filter={filter}
              isChosen={entries[index]!.note.note_id === chosen}
              selection={selection}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

interface NoteRowProps {
  entry: NoteEntry;
  filter: NoteListFilter;
  isChosen: boolean;
  selection: ListSelection;
}

function NoteRow({ entry: { note, title, passage }, filter, isChosen, selection }: NoteRowProps): ReactNode {
  const text = useTranslation();
  const language = useLanguage();
  const id = note.note_id;
  const name = note.title === '' ? text('untitled') : note.title;
  const isSelected = selection.ids.has(id);
  const click = (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) {
      event.preventDefault();
      selection.toggle(id, event.shiftKey);
    } else selection.clear();
  };
  const drag = (event: DragEvent): void => {
    const ids = isSelected ? [...selection.ids] : [id];
    event.dataTransfer.setData(noteDragType, ids.join(' '));
    event.dataTransfer.effectAllowed = 'move';
  };
  return (
    <Link
      to="/notes/$id"
      params={{ id }}
      search={{ folder: filter.folder, tag: filter.tag, q: filter.query === '' ? undefined : filter.query }}
      draggable
      onClick={click}
      onDragStart={drag}
      aria-current={isChosen ? 'true' : undefined}
      className={`flex h-full flex-col gap-0.5 overflow-hidden rounded-lg px-3 py-2 ${
        isSelected
          ? 'bg-accent-soft outline-2 -outline-offset-2 outline-accent'
          : isChosen
            ? 'bg-accent-soft'
            : 'hover:bg-hover'
      }`}
    >
      <span className="flex items-baseline gap-2">
        <span className="min-w-0 flex-1 truncate font-medium">
          {isSelected && <span className="sr-only">{text('selectedRow')}: </span>}
          {title === undefined ? name : <HighlightedText text={title} />}
        </span>
        <span className="shrink-0 text-xs text-faint">{formatTimeAgo(timeOf(note, filter.order), language)}</span>
      </span>
      <span className="line-clamp-2 text-sm text-soft">
        {passage === undefined ? plainExcerpt(note.summary) : <HighlightedText text={passage} />}
      </span>
    </Link>
  );
}

function timeOf(note: NoteEntry['note'], order: NoteOrder): number {
  return order === 'created' ? note.create_time : note.modify_time;
}
