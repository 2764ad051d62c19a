import { FolderInput, Trash2, X } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { IconButton } from '../../ui/button.tsx';
import type { ListSelection } from '../../ui/list-selection.ts';
import { MoveNotesDialog } from './move-dialog.tsx';

interface SelectionBarProps {
  selection: ListSelection;
  /** Ids of all listed notes. */
  all: readonly string[];
  onDelete: () => void;
}

/** Toolbar with the actions for the selected notes. */
export function SelectionBar({ selection, all, onDelete }: SelectionBarProps): ReactNode {
  const text = useTranslation();
  const [isMoving, setMoving] = useState(false);
  const count = text('chosen', { count: selection.ids.size });
  const isAll = selection.ids.size === all.length;
  return (
    <div role="toolbar" aria-label={count} className="flex items-center gap-1 border-b border-line px-3 py-1.5">
      <label className="mr-auto flex items-center gap-2.5 text-sm font-medium">
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={isAll}
          aria-label={text('selectAll')}
          onChange={() => (isAll ? selection.clear() : selection.set(all))}
        />
        <span aria-live="polite">{count}</span>
      </label>
      <IconButton label={text('moveTo')} onClick={() => setMoving(true)}>
        <FolderInput size={16} />
      </IconButton>
      <IconButton label={text('delete')} onClick={onDelete}>
        <Trash2 size={16} />
      </IconButton>
      <IconButton label={text('chooseNone')} onClick={selection.clear}>
        <X size={16} />
      </IconButton>
      {isMoving && (
        <MoveNotesDialog ids={[...selection.ids]} onClose={() => setMoving(false)} onMoved={selection.clear} />
      )}
    </div>
  );
}
