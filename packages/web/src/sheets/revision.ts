/** Rows or columns that were inserted, deleted (a negative count), or moved to stand before `to`. */
export interface Shift {
  readonly sheet_id: string;
  readonly axis: 'row' | 'col';
  readonly at: number;
  readonly count: number;
  readonly to?: number;
}

/** A committed change of the document. */
export interface Revision {
  readonly version: number;
  readonly userId: string;
  /** The API key or session it was made with. */
  readonly keyId: string;
  readonly tool: string;
  /** Where it worked, `<sheet_id>$A1:B2`; undefined when it was no cells. */
  readonly range: string | undefined;
  /** What it changed: `cells`, `layout`, `objects`, `sheets`. Undefined when that is not known: then it may be anything. */
  readonly scope: readonly string[] | undefined;
  /** In the order they happened. */
  readonly shifts: readonly Shift[];
  /** Unix milliseconds. */
  readonly at: number;
  /** Made by this page. */
  readonly own: boolean;
}

/** Whether a revision changed something of these scopes, or may have. */
export function changes({ scope }: Pick<Revision, 'scope'>, ...scopes: readonly string[]): boolean {
  return scope === undefined || scope.some((one) => scopes.includes(one));
}
