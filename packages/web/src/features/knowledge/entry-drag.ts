import type { DragEvent } from 'react';
import { translatorFor, language } from '../../i18n/use-translation.ts';
import { useDropTarget } from '../../ui/drop-target.ts';
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

/**
 * Makes a folder a drop target. Dropped files are uploaded into the folder; dragged entries of any knowledge base are
 * moved into it.
 */
export function useEntryDrop(base: string, folder: string): ReturnType<typeof useDropTarget> {
  return useDropTarget(['Files', entryDragType], async (data) => {
    const moved = data.getData(entryDragType);
    if (moved === '') {
      enqueueUploads(await droppedFiles(data), { base, folder });
      return;
    }
    const { base: from, ids } = JSON.parse(moved) as Dragged;
    if (!ids.includes(folder)) await moveEntries(from, ids, base, folder, translatorFor(language.get()));
  });
}
