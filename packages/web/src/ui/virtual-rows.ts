import { useEffect, useState, type RefObject } from 'react';

/** Number of rows rendered above and below the visible ones, so that scrolling shows no gaps. */
const overscan = 6;

interface VisibleRows {
  readonly first: number;
  /** Index after the last row. */
  readonly end: number;
}

/**
 * Returns the index range of the rows to render in a list with rows of equal height: the rows in the visible part of
 * `scroller`, and some rows around them.
 */
export function useVisibleRows(scroller: RefObject<HTMLElement | null>, count: number, rowHeight: number): VisibleRows {
  const [rows, setRows] = useState<VisibleRows>({ first: 0, end: 30 });
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const update = (): void => {
      const first = Math.max(0, Math.floor(element.scrollTop / rowHeight) - overscan);
      const end = Math.ceil((element.scrollTop + element.clientHeight) / rowHeight) + overscan;
      setRows((before) => (before.first === first && before.end === end ? before : { first, end }));
    };
    update();
    const observer = new ResizeObserver(update);
    observer.observe(element);
    element.addEventListener('scroll', update, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', update);
    };
  }, [scroller, rowHeight]);
  return { first: Math.min(rows.first, Math.max(0, count - 1)), end: Math.min(rows.end, count) };
}
