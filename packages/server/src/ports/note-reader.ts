export interface ReadableNote {
  id: string;
  userId: string;
  title: string;
  /** Number that increases with every change of the note's text. */
  version: number;
  modifiedAt: number;
  /** Size of the note's Markdown in bytes. */
  size: number;
  /** Whether the note is in its author's trash. */
  isDeleted: boolean;
}

/** Reads notes for other modules. */
export interface NoteReader {
  note(id: string): Promise<ReadableNote | undefined>;
  /**
   * Returns the note's text without markup, and its headings (one per line). Returns undefined if the note is missing
   * or deleted.
   */
  text(id: string): Promise<{ text: string; headings: string } | undefined>;
  /**
   * Returns these notes by id, each with its text without markup and its headings (one per line). Reads all of them in
   * a few database queries. Missing and deleted notes are left out.
   */
  readable(ids: readonly string[]): Promise<Map<string, ReadableNote & { text: string; headings: string }>>;
}
