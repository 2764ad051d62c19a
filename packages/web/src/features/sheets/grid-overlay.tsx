import { useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { useStore } from '../../ui/store.ts';
import { rangesEqual, singleCellRange, type CellRange, type PixelRect } from './cell-geometry.ts';
import { useSession, type GridView, type Pane } from './sheet-session.ts';

/**
 * Position of an overlay on the sheet: a range of cells, or a pixel offset within a cell and a size (charts, images).
 */
export type OverlayAnchor =
  | { readonly range: CellRange }
  | {
      readonly row: number;
      readonly col: number;
      readonly offsetX: number;
      readonly offsetY: number;
      readonly width: number;
      readonly height: number;
    };

function rangeOf(place: OverlayAnchor): CellRange {
  return 'range' in place ? place.range : { top: place.row, left: place.col, bottom: place.row, right: place.col };
}

/**
 * Returns the pixel rectangle of an overlay, such as a chart, at the current scroll offset. An overlay is anchored to a
 * range of cells, or to one cell with pixel offsets and a size.
 */
export function rectOfAnchor(view: GridView, place: OverlayAnchor): PixelRect {
  const rect = view.rectOf(rangeOf(place));
  return 'range' in place
    ? rect
    : { x: rect.x + place.offsetX, y: rect.y + place.offsetY, width: place.width, height: place.height };
}

function paneWith(isRowFrozen: boolean, isColFrozen: boolean): Pane {
  return isRowFrozen ? (isColFrozen ? 'corner' : 'top') : isColFrozen ? 'left' : 'body';
}

const frozenIn = (pane: Pane): { row: boolean; col: boolean } => ({
  row: pane === 'top' || pane === 'corner',
  col: pane === 'left' || pane === 'corner',
});

/**
 * Returns the panes in which an overlay is visible. An overlay in frozen cells that extends beyond them is also visible
 * in the scrolling pane. The last pane of the list receives pointer input.
 */
function panesOf(view: GridView, place: OverlayAnchor): readonly Pane[] {
  const range = rangeOf(place);
  const anchor = view.paneOf({ row: range.top, col: range.left });
  if ('range' in place) return [anchor];
  const rect = rectOfAnchor(view, place);
  const corner = view.paneRect('corner');
  const { row, col } = frozenIn(anchor);
  const rows = row && rect.y + rect.height > corner.y + corner.height ? [true, false] : [row];
  const cols = col && rect.x + rect.width > corner.x + corner.width ? [true, false] : [col];
  return rows.flatMap((isRow) => cols.map((isCol) => paneWith(isRow, isCol)));
}

/**
 * Returns the pixel rectangle at which an overlay is displayed in one of its panes. In a scrolling pane, the scroll
 * offset is subtracted from the position of an overlay that is anchored in frozen cells.
 */
export function visibleRect(view: GridView, place: OverlayAnchor, pane: Pane): PixelRect {
  const rect = rectOfAnchor(view, place);
  const range = rangeOf(place);
  const anchor = frozenIn(view.paneOf({ row: range.top, col: range.left }));
  const here = frozenIn(pane);
  return {
    ...rect,
    x: rect.x - (anchor.col && !here.col ? view.scrolled.x : 0),
    y: rect.y - (anchor.row && !here.row ? view.scrolled.y : 0),
  };
}

export function interactivePane(view: GridView, place: OverlayAnchor): Pane {
  return panesOf(view, place).at(-1)!;
}

/**
 * Renders its children over the grid at a position on the sheet, clipped to a pane. An overlay that crosses the edge of
 * the frozen area is rendered once per pane. Scrolling moves the element without rendering again.
 */
export function GridOverlay({
  place,
  className = '',
  children,
}: {
  place: OverlayAnchor;
  className?: string;
  children: ReactNode;
}): ReactNode {
  const view = useStore(useSession().grid);
  const [panes, setPanes] = useState<readonly Pane[]>([]);
  useLayoutEffect(() => {
    if (!view) return undefined;
    const look = (): void =>
      setPanes((before) => {
        const now = panesOf(view, place);
        return before.join() === now.join() ? before : now;
      });
    look();
    return view.subscribe(look);
  }, [view, place]);
  if (!view) return null;
  return panes.map((pane, index) => (
    <InPane key={pane} view={view} place={place} pane={pane} isCopy={index < panes.length - 1} className={className}>
      {children}
    </InPane>
  ));
}

export function CellOverlay({
  row,
  col,
  ...rest
}: {
  row: number;
  col: number;
  className?: string;
  children: ReactNode;
}): ReactNode {
  const place = useMemo(() => ({ range: singleCellRange(row, col) }), [row, col]);
  return <GridOverlay place={place} {...rest} />;
}

function InPane({
  view,
  place,
  pane,
  isCopy,
  className,
  children,
}: {
  view: GridView;
  place: OverlayAnchor;
  pane: Pane;
  isCopy: boolean;
  className: string;
  children: ReactNode;
}): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const follow = (): void => {
      const element = box.current;
      if (!element) return;
      const rect = visibleRect(view, place, pane);
      const clip = view.paneRect(pane);
      element.style.transform = `translate(${rect.x - clip.x}px, ${rect.y - clip.y}px)`;
      element.style.width = `${rect.width}px`;
      element.style.height = `${rect.height}px`;
      if (isCopy) {
        // Clip the overlay at the edge of the frozen pane. A second overlay, in the scrolling pane, shows the remaining
        // part.
        const right = Math.max(0, rect.x + rect.width - clip.x - clip.width);
        const bottom = Math.max(0, rect.y + rect.height - clip.y - clip.height);
        element.style.clipPath = `inset(0 ${right}px ${bottom}px 0)`;
      }
      const away =
        rect.x > clip.x + clip.width ||
        rect.y > clip.y + clip.height ||
        rect.x + rect.width < clip.x ||
        rect.y + rect.height < clip.y;
      element.hidden = away || rect.width === 0 || rect.height === 0;
    };
    follow();
    return view.subscribe(follow);
  }, [view, pane, place, isCopy]);
  return createPortal(
    <div ref={box} className={`absolute top-0 left-0 ${className}`} inert={isCopy} aria-hidden={isCopy || undefined}>
      {children}
    </div>,
    view.paneElement(pane),
  );
}

/**
 * Returns the visible cell range of the grid, or undefined before the grid is mounted. Re-renders the component when
 * the range changes.
 */
export function useVisibleRange(): CellRange | undefined {
  const view = useStore(useSession().grid);
  const [visible, setVisible] = useState<CellRange>();
  useEffect(() => {
    if (!view) return undefined;
    const follow = (): void =>
      setVisible((before) => (before && rangesEqual(before, view.visible) ? before : view.visible));
    follow();
    return view.subscribe(follow);
  }, [view]);
  return visible;
}
