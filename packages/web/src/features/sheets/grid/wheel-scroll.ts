import { zoomBy } from '../zoom.ts';

const lineMode = 1;
const pageMode = 2;
const lineHeight = 40;

/**
 * Returns the scroll distance of a wheel event in pixels. If Ctrl is pressed, changes the zoom level instead and
 * returns zero.
 */
export function wheelScroll(event: WheelEvent, pageHeight: number): { x: number; y: number } {
  event.preventDefault();
  if (event.ctrlKey) {
    if (event.deltaY !== 0) zoomBy(event.deltaY < 0 ? 1 : -1);
    return { x: 0, y: 0 };
  }
  const unit = event.deltaMode === lineMode ? lineHeight : event.deltaMode === pageMode ? pageHeight : 1;
  const isSideways = event.shiftKey && event.deltaX === 0;
  return {
    x: (isSideways ? event.deltaY : event.deltaX) * unit,
    y: isSideways ? 0 : event.deltaY * unit,
  };
}
