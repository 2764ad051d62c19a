/** One thing found by a search across modules. */
export interface Found {
  /** `knowledge`, `folder`, `note`, `sheet`. */
  kind: string;
  id: string;
  title: string;
  /** A passage of the text with `<em>` around what was found; undefined when only the title matched. */
  passage?: string;
  modifiedAt: number;
  /** The knowledge base or notebook it is in, where there is one. */
  containerId?: string;
  containerName?: string;
}

/**
 * What a module lets others find. Each module that has something to find provides one; `search_all` asks them all.
 * Guarantee: only what the user may see.
 */
export interface SearchSource {
  /** In which order the sources take turns, and the part of the cursor that is theirs. */
  readonly name: string;
  /** Best first. `seen` is how many places the page used up; what is gone meanwhile is left out. */
  find(
    userId: string,
    query: string,
    offset: number,
    limit: number,
  ): Promise<{ found: Found[]; seen: number; total: number }>;
}
