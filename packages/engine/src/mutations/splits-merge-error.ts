import { rectName, type Rect } from '../base/address.ts';

/** Thrown when an edit would split a merged area. The edit itself is valid; only the document's state forbids it. */
export class CutsMerge extends RangeError {
  constructor(merged: Rect) {
    super(`the edit would cut the merged area ${rectName(merged)}; unmerge it first`);
    this.name = 'CutsMerge';
  }
}
