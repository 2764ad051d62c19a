import { FolderInput, Trash2, X } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { showErrorToast } from '../../ui/toast.tsx';
import { deleteEntries } from './entry-actions.ts';
import type { ListSelection } from '../../ui/list-selection.ts';
import { MoveEntriesDialog } from './move-dialog.tsx';
import { entryId, type Entry } from './queries.ts';

interface SelectionBarProps {
  base: string;
  entries: readonly Entry[];
  chosen: ListSelection;
}

export function SelectionBar({ base, entries, chosen }: SelectionBarProps): ReactNode {
  const text = useTranslation();
  const [moving, setMoving] = useState(false);
  const all = entries.every((entry) => chosen.ids.has(entryId(entry)));
  const remove = async (): Promise<void> => {
    await deleteEntries(base, [...chosen.ids], text);
    chosen.clear();
  };
  return (
    <div
      role="toolbar"
      aria-label={text('chosen', { count: chosen.ids.size })}
      className="sticky top-0 z-10 flex flex-wrap items-center gap-2 border-b border-line bg-paper px-2 py-2"
    >
      <label className="flex items-center gap-2.5 text-sm font-medium">
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={all}
          aria-label={text('selectAll')}
          onChange={() => (all ? chosen.clear() : chosen.set(entries.map(entryId)))}
        />
        <span aria-live="polite">{text('chosen', { count: chosen.ids.size })}</span>
      </label>
      <Button className="ml-auto" onClick={() => setMoving(true)}>
        <FolderInput size={15} /> {text('moveTo')}
      </Button>
      <Button variant="danger" onClick={() => remove().catch(showErrorToast)}>
        <Trash2 size={15} /> {text('delete')}
      </Button>
      <IconButton label={text('chooseNone')} onClick={chosen.clear}>
        <X size={16} />
      </IconButton>
      {moving && (
        <MoveEntriesDialog
          base={base}
          entries={entries.filter((entry) => chosen.ids.has(entryId(entry)))}
          onClose={() => setMoving(false)}
        />
      )}
    </div>
  );
}
