export interface ReadableNote {
  id: string;
  userId: string;
  title: string;
  /** Increases with every change of the text. */
  version: number;
  modifiedAt: number;
  /** Bytes of Markdown. */
  size: number;
  /** True if the note is in its author's trash. */
  isDeleted: boolean;
}

/** Read access to notes for other modules. */
export interface NoteReader {
  note(id: string): Promise<ReadableNote | undefined>;
  /** The note's text without markup, and its headings (one per line); undefined if the note is missing or deleted. */
  text(id: string): Promise<{ text: string; headings: string } | undefined>;
  /** Like `note` and `text`, for many notes in few queries; missing notes are left out. */
  readable(ids: readonly string[]): Promise<Map<string, ReadableNote & { text: string; headings: string }>>;
}
