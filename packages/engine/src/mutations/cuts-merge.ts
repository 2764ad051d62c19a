import { rectName, type Rect } from '../base/address.ts';

/** An edit would leave half of a merged area: what stands there forbids it, not the edit by itself. */
export class CutsMerge extends RangeError {
  constructor(merged: Rect) {
    super(`the edit would cut the merged area ${rectName(merged)}; unmerge it first`);
    this.name = 'CutsMerge';
  }
}
