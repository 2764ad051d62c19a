/** Rows or columns that were inserted, deleted (negative `count`), or moved in front of `to`. */
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
  /** Id of the API key or session that made the change. */
  readonly keyId: string;
  readonly tool: string;
  /** The affected range as `<sheet_id>$A1:B2`. Undefined if the change affected no cells. */
  readonly range: string | undefined;
  /** Which parts changed: `cells`, `layout`, `objects`, `sheets`. If undefined, anything may have changed. */
  readonly scope: readonly string[] | undefined;
  /** Insertions, deletions and moves of rows and columns in this revision, in chronological order. */
  readonly shifts: readonly AxisShift[];
  /** Time of the change, in Unix milliseconds. */
  readonly at: number;
  /** True if this page made the change; false for other clients, including other pages of the same user. */
  readonly own: boolean;
}

/**
 * Returns whether a revision (change of the document) affects one of the scopes. A revision without scope affects all.
 */
export function affectsScope({ scope }: Pick<Revision, 'scope'>, ...scopes: readonly string[]): boolean {
  return scope === undefined || scope.some((one) => scopes.includes(one));
}
