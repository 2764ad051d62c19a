export type TitledKind = 'note' | 'notebook' | 'base' | 'sheet' | 'item';

export interface TitledObject {
  id: string;
  title: string;
}

/** Finds objects by their title. */
export interface TitleLookup {
  /**
   * Returns the objects of the kind with this title that the user may see: the user's own and shared ones, for
   * notebooks only the user's own. Deleted objects are left out. Ignores case and accents, except in titles of knowledge
   * base items (`item`). Returns at most `limit` objects, oldest first.
   */
  find(userId: string, kind: TitledKind, title: string, limit: number): Promise<TitledObject[]>;
}
