import { Setting } from '../../lib/browser-storage.ts';

export const zoomSteps = ['50', '75', '90', '100', '125', '150', '200'] as const;

/** Zoom of the cells in percent. Stored in this browser and shared by all spreadsheets. */
export const zoom = new Setting<(typeof zoomSteps)[number]>('zoom', zoomSteps, '100');

export function zoomFactor(): number {
  return Number(zoom.get()) / 100;
}

export function zoomBy(steps: 1 | -1): void {
  const next = zoomSteps[zoomSteps.indexOf(zoom.get()) + steps];
  if (next !== undefined) zoom.set(next);
}
