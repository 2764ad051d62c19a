import { Setting } from '../../lib/browser-storage.ts';

export const zoomSteps = ['50', '75', '90', '100', '125', '150', '200'] as const;

/** Zoom level of the cells in percent. It is stored in this browser and applies to all spreadsheets. */
export const zoom = new Setting<(typeof zoomSteps)[number]>('zoom', zoomSteps, '100');

export function zoomFactor(): number {
  return Number(zoom.get()) / 100;
}

export function zoomBy(steps: 1 | -1): void {
  const next = zoomSteps[zoomSteps.indexOf(zoom.get()) + steps];
  if (next !== undefined) zoom.set(next);
}
