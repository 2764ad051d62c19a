/**
 * Insertion, deletion or move of the rows or columns that start at index `at`. For a deletion, `count` is negative. For
 * a move, `to` is the index in front of which they are moved.
 */
export interface AxisShift {
  readonly sheet_id: string;
  readonly axis: 'row' | 'col';
  readonly at: number;
  readonly count: number;
  readonly to?: number;
}

export interface Revision {
  readonly version: number;
  readonly userId: string;
  /** Id of the API key or session that made the change. Empty if the change was made in this browser tab. */
  readonly keyId: string;
  readonly tool: string;
  /**
   * The affected range as `<sheet_id>$A1:B2`. Undefined if the change affected no cells or was made in this browser
   * tab.
   */
  readonly range: string | undefined;
  /**
   * What changed: contents and styles of cells (`cells`), positions and sizes (`layout`), objects such as charts
   * (`objects`), or the list of sub-sheets (`sheets`). If undefined, anything may have changed.
   */
  readonly scope: readonly string[] | undefined;
  /**
   * Insertions, deletions and moves of rows and columns in this revision, in chronological order. Also empty if there
   * were too many of them to send.
   */
  readonly shifts: readonly AxisShift[];
  /** Time of the change, in Unix milliseconds. */
  readonly at: number;
  /**
   * True if the change was made in this browser tab; false for other clients, including other tabs of the same user.
   */
  readonly own: boolean;
}

/**
 * Returns whether a revision (change of the document) affects one of the scopes. A revision without scope affects all.
 */
export function affectsScope({ scope }: Pick<Revision, 'scope'>, ...scopes: readonly string[]): boolean {
  return scope === undefined || scope.some((one) => scopes.includes(one));
}
