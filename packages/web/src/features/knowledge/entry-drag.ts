import { useState, type DragEvent } from 'react';
import { translatorFor, language } from '../../i18n/use-translation.ts';
import { showErrorToast } from '../../ui/toast.tsx';
import { moveEntries } from './entry-actions.ts';
import { droppedFiles, enqueueUploads } from './upload-queue.ts';

const entryDragType = 'application/x-sheaf-entry';

interface Dragged {
  base: string;
  ids: string[];
}

export function startEntryDrag(event: DragEvent, dragged: Dragged): void {
  event.dataTransfer.setData(entryDragType, JSON.stringify(dragged));
  event.dataTransfer.effectAllowed = 'move';
}

interface Handlers {
  onDragOver: (event: DragEvent) => void;
  onDragLeave: (event: DragEvent) => void;
  onDrop: (event: DragEvent) => void;
}

/** Makes a folder a drop target for files and for entries of any base. */
export function useEntryDrop(base: string, folder: string): { over: boolean; handlers: Handlers } {
  const [over, setOver] = useState(false);
  const takes = (event: DragEvent): boolean =>
    event.dataTransfer.types.includes('Files') || event.dataTransfer.types.includes(entryDragType);
  const drop = async (event: DragEvent): Promise<void> => {
    const moved = event.dataTransfer.getData(entryDragType);
    if (moved === '') {
      enqueueUploads(await droppedFiles(event.dataTransfer), { base, folder });
      return;
    }
    const { base: from, ids } = JSON.parse(moved) as Dragged;
    if (!ids.includes(folder)) await moveEntries(from, ids, base, folder, translatorFor(language.get()));
  };
  return {
    over,
    handlers: {
      onDragOver: (event) => {
        if (!takes(event)) return;
        event.preventDefault();
        event.stopPropagation();
        setOver(true);
      },
      onDragLeave: (event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      },
      onDrop: (event) => {
        if (!takes(event)) return;
        event.preventDefault();
        event.stopPropagation();
        setOver(false);
        drop(event).catch(showErrorToast);
      },
    },
  };
}
