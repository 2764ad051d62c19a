import { Trash2 } from 'lucide-react';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import { IconButton } from '../../../ui/button.tsx';
import { useStore } from '../../../ui/store.ts';
import { showErrorToast } from '../../../ui/toast.tsx';
import { GridOverlay, interactivePane, rectOfAnchor, visibleRect } from '../grid-overlay.tsx';
import type { PixelRect } from '../cell-geometry.ts';
import { useSession } from '../sheet-session.ts';
import { zoomFactor } from '../zoom.ts';
import { anchorForRect, toAnchor, toLocation, type DrawingAnchor, type DrawingLocation } from './drawing-anchor.ts';

/**
 * The edges that each resize handle moves. x is -1 for left, 1 for right, 0 for neither; y is -1 for top, 1 for bottom,
 * 0 for neither.
 */
const handles = [
  { x: -1, y: -1, look: '-top-1.5 -left-1.5 cursor-nwse-resize' },
  { x: 0, y: -1, look: '-top-1.5 left-1/2 -ml-1.5 cursor-ns-resize' },
  { x: 1, y: -1, look: '-top-1.5 -right-1.5 cursor-nesw-resize' },
  { x: 1, y: 0, look: 'top-1/2 -right-1.5 -mt-1.5 cursor-ew-resize' },
  { x: 1, y: 1, look: '-right-1.5 -bottom-1.5 cursor-nwse-resize' },
  { x: 0, y: 1, look: '-bottom-1.5 left-1/2 -ml-1.5 cursor-ns-resize' },
  { x: -1, y: 1, look: '-bottom-1.5 -left-1.5 cursor-nesw-resize' },
  { x: -1, y: 0, look: 'top-1/2 -left-1.5 -mt-1.5 cursor-ew-resize' },
] as const;

const minSize = 24;
const keyStep = 10;
const keyRestMs = 400;

interface Frame {
  label: string;
  location: DrawingLocation;
  selected: boolean;
  onSelect: () => void;
  onOpen: () => void;
  onDelete: () => Promise<void>;
  /** Saves the new position and size on the server. Resolves when the displayed sheet is updated. */
  onMove: (location: Required<DrawingLocation>) => Promise<void>;
  /** Buttons shown in the corner while the chart or image is selected, left of the delete button. */
  buttons?: ReactNode;
  deleteLabel: string;
  children: ReactNode;
}

/**
 * A frame around a chart or image on the sheet. Dragging or the arrow keys move it; its handles or Shift with arrow
 * keys resize it.
 */
export function DrawingFrame({
  label,
  location,
  selected,
  onSelect,
  onOpen,
  onDelete,
  onMove,
  buttons,
  deleteLabel,
  children,
}: Frame): ReactNode {
  const session = useSession();
  const { mayWrite } = session;
  const told = JSON.stringify(location);
  const place = useMemo(() => toAnchor(JSON.parse(told) as DrawingLocation), [told]);
  const remove = (): void => void onDelete().catch(showErrorToast);
  const view = useStore(session.grid);
  /** Change of position and size, made by dragging or keys, that has not been sent to the server yet. */
  const [shift, setShift] = useState<PixelRect>(nowhere);
  const [sent, setSent] = useState<DrawingAnchor>();
  const shown = sent ?? place;
  /**
   * Position of the drawing after all moves that were sent to the server, confirmed or not. Further moves start from
   * it.
   */
  const standing = useRef(shown);
  standing.current = shown;
  const moves = useRef(0);
  const drag = useRef<{ x: number; y: number; dx: number; dy: number } | undefined>(undefined);
  const resting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const carried = useRef(shift);
  useEffect(() => () => clearTimeout(resting.current), []);

  const carry = (next: PixelRect): void => {
    carried.current = {
      ...next,
      width: Math.max(next.width, minSize - standing.current.width),
      height: Math.max(next.height, minSize - standing.current.height),
    };
    setShift(carried.current);
  };
  const put = (): void => {
    clearTimeout(resting.current);
    const moved = carried.current;
    const from = standing.current;
    if (!view || (moved.x === 0 && moved.y === 0 && moved.width === 0 && moved.height === 0)) return;
    const unmoved = rectOfAnchor(view, from);
    const seen = visibleRect(view, from, interactivePane(view, from));
    // In a direction in which the drawing was moved, start from the displayed position. In the other direction, keep
    // the stored position. The two can differ if the sheet is scrolled and the drawing extends beyond frozen cells.
    const rect = { ...unmoved, ...(moved.x === 0 ? {} : { x: seen.x }), ...(moved.y === 0 ? {} : { y: seen.y }) };
    const next = anchorForRect(view, session.tab, from, {
      x: rect.x + moved.x,
      y: rect.y + moved.y,
      width: rect.width + moved.width,
      height: rect.height + moved.height,
    });
    carried.current = nowhere;
    setShift(nowhere);
    setSent(next);
    standing.current = next;
    moves.current += 1;
    const move = moves.current;
    // After the server's response, show the stored position again instead of the position in `sent`, unless the drawing
    // has been moved again.
    void onMove(toLocation(next))
      .catch(showErrorToast)
      .finally(() => move === moves.current && setSent(undefined));
  };
  const begin = (event: PointerEvent, dx: number, dy: number): void => {
    if (event.button !== 0) return;
    event.stopPropagation();
    onSelect();
    if (!mayWrite) return;
    // Send a pending keyboard move first, because the drag starts from the resulting position.
    put();
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { x: event.clientX, y: event.clientY, dx, dy };
  };
  const follow = (event: PointerEvent): void => {
    const from = drag.current;
    if (!from) return;
    event.stopPropagation();
    const x = (event.clientX - from.x) / zoomFactor();
    const y = (event.clientY - from.y) / zoomFactor();
    if (from.dx === 0 && from.dy === 0) carry({ x, y, width: 0, height: 0 });
    else
      carry({
        x: from.dx < 0 ? Math.min(x, standing.current.width - minSize) : 0,
        y: from.dy < 0 ? Math.min(y, standing.current.height - minSize) : 0,
        width: from.dx * x,
        height: from.dy * y,
      });
  };
  const end = (event: PointerEvent): void => {
    if (!drag.current) return;
    event.stopPropagation();
    drag.current = undefined;
    put();
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (way && mayWrite) {
      const [x, y] = [way[0]! * keyStep, way[1]! * keyStep];
      const now = carried.current;
      carry(
        event.shiftKey
          ? { ...now, width: now.width + x, height: now.height + y }
          : { ...now, x: now.x + x, y: now.y + y },
      );
      clearTimeout(resting.current);
      resting.current = setTimeout(put, keyRestMs);
    } else if (event.key === 'Enter') onOpen();
    else if ((event.key === 'Delete' || event.key === 'Backspace') && mayWrite) remove();
    else if (event.key === 'Escape') session.focusCells();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const width = shown.width + shift.width;
  const height = shown.height + shift.height;
  return (
    <GridOverlay place={shown}>
      <div
        role="group"
        aria-label={label}
        tabIndex={0}
        data-object-frame=""
        className={
          'pointer-events-auto absolute touch-none rounded-md outline-offset-1 select-none ' +
          `${selected ? 'outline-2 outline-accent' : 'outline-1 outline-line'} ${mayWrite ? 'cursor-move' : ''}`
        }
        style={{ transform: `translate(${shift.x}px, ${shift.y}px)`, width, height }}
        onPointerDown={(event) => begin(event, 0, 0)}
        onPointerMove={follow}
        onPointerUp={end}
        onPointerCancel={end}
        onDoubleClick={(event) => {
          event.stopPropagation();
          onOpen();
        }}
        onWheel={(event) =>
          event.currentTarget
            .closest('[data-grid]')
            ?.querySelector('[data-scroller]')
            ?.scrollBy(event.deltaX, event.deltaY)
        }
        onContextMenu={(event) => event.stopPropagation()}
        onFocus={onSelect}
        onKeyDown={onKey}
      >
        {children}
        {selected && (mayWrite || buttons) && (
          <div
            className="absolute top-1 right-1 flex rounded-lg border border-line bg-raised shadow-sm"
            onPointerDown={(event) => event.stopPropagation()}
          >
            {buttons}
            {mayWrite && (
              <IconButton label={deleteLabel} onClick={remove}>
                <Trash2 size={15} />
              </IconButton>
            )}
          </div>
        )}
        {selected &&
          mayWrite &&
          handles.map((handle) => (
            <span
              key={handle.look}
              className={`absolute size-3 rounded-full border-2 border-accent bg-raised pointer-coarse:size-5 ${handle.look}`}
              onPointerDown={(event) => begin(event, handle.x, handle.y)}
              onPointerMove={follow}
              onPointerUp={end}
              onPointerCancel={end}
            />
          ))}
      </div>
    </GridOverlay>
  );
}

const nowhere: PixelRect = { x: 0, y: 0, width: 0, height: 0 };
