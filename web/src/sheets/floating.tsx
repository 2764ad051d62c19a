import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { useStore } from '../ui/store.ts';
import { sameRange, type CellRange, type PixelRect } from './geometry.ts';
import { useSession, type GridView } from './session.ts';

/** Where something stands: over a range of cells, or from a point inside a cell with a size of its own (charts, images). */
export type Place =
  | { readonly range: CellRange }
  | {
      readonly row: number;
      readonly col: number;
      readonly offsetX: number;
      readonly offsetY: number;
      readonly width: number;
      readonly height: number;
    };

function rangeOf(place: Place): CellRange {
  return 'range' in place ? place.range : { top: place.row, left: place.col, bottom: place.row, right: place.col };
}

/** In pixels of the grid; follows nothing by itself. */
export function rectOfPlace(view: GridView, place: Place): PixelRect {
  const rect = view.rectOf(rangeOf(place));
  return 'range' in place
    ? rect
    : { x: rect.x + place.offsetX, y: rect.y + place.offsetY, width: place.width, height: place.height };
}

/**
 * Puts its children over the grid at a place on the sheet, clipped by the pane the place lies in, unless that is frozen. It follows scrolling
 * without rendering again. The box has exactly the size of the place.
 */
export function Floating({
  place,
  className = '',
  children,
}: {
  place: Place;
  className?: string;
  children: ReactNode;
}): ReactNode {
  const view = useStore(useSession().grid);
  const box = useRef<HTMLDivElement>(null);
  const range = rangeOf(place);
  const pane = view?.paneOf({ row: range.top, col: range.left });
  useLayoutEffect(() => {
    if (!view || !pane) return undefined;
    const follow = (): void => {
      const element = box.current;
      if (!element) return;
      const rect = rectOfPlace(view, place);
      const clip = view.paneRect(pane);
      element.style.transform = `translate(${rect.x - clip.x}px, ${rect.y - clip.y}px)`;
      element.style.width = `${rect.width}px`;
      element.style.height = `${rect.height}px`;
      const away =
        rect.x > clip.x + clip.width ||
        rect.y > clip.y + clip.height ||
        rect.x + rect.width < clip.x ||
        rect.y + rect.height < clip.y;
      element.hidden = away || rect.width === 0 || rect.height === 0;
    };
    follow();
    return view.subscribe(follow);
  }, [view, pane, place]);
  if (!view || !pane) return null;
  return createPortal(
    <div ref={box} className={`absolute top-0 left-0 ${className}`}>
      {children}
    </div>,
    view.paneElement(pane),
  );
}

/** The cells that can be seen, rendered anew when they change. */
export function useViewport(): CellRange | undefined {
  const view = useStore(useSession().grid);
  const [visible, setVisible] = useState<CellRange>();
  useEffect(() => {
    if (!view) return undefined;
    const follow = (): void =>
      setVisible((before) => (before && sameRange(before, view.visible) ? before : view.visible));
    follow();
    return view.subscribe(follow);
  }, [view]);
  return visible;
}
