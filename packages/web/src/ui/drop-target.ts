import { useState, type DragEvent } from 'react';
import { showErrorToast } from './toast.tsx';

interface DropTarget {
  /** True while data that can be dropped is dragged over the element. */
  over: boolean;
  handlers: Record<'onDragOver' | 'onDragLeave' | 'onDrop', (event: DragEvent) => void>;
}

/** Makes an element a drop target for data of one of the given types. */
export function useDropTarget(types: readonly string[], drop: (data: DataTransfer) => Promise<void>): DropTarget {
  const [over, setOver] = useState(false);
  const take = (event: DragEvent, isOver: boolean): boolean => {
    if (!types.some((type) => event.dataTransfer.types.includes(type))) return false;
    event.preventDefault();
    event.stopPropagation();
    setOver(isOver);
    return true;
  };
  return {
    over,
    handlers: {
      onDragOver: (event) => void take(event, true),
      onDragLeave: (event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      },
      onDrop: (event) => {
        if (take(event, false)) drop(event.dataTransfer).catch(showErrorToast);
      },
    },
  };
}
