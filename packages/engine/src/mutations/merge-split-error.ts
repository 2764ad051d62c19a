import { rectName, type Rect } from '../base/address.ts';

/** Thrown when an edit would split a merged area. The same edit is valid after unmerging. */
export class CutsMerge extends RangeError {
  constructor(merged: Rect) {
    super(`the edit would cut the merged area ${rectName(merged)}; unmerge it first`);
    this.name = 'CutsMerge';
  }
}
