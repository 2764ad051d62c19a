export interface ReadableNote {
  id: string;
  userId: string;
  title: string;
  /** Grows with every change of the text. */
  version: number;
  modifiedAt: number;
  /** Bytes of Markdown. */
  size: number;
  /** In the trash of its author. */
  isDeleted: boolean;
}

/** Notes as other modules see them: who wrote one, what it is called, what it says. */
export interface NoteReader {
  note(id: string): Promise<ReadableNote | undefined>;
  /** The note's words without markup, with its headings (one a line); undefined when there is no such note or it is deleted. */
  text(id: string): Promise<{ text: string; headings: string } | undefined>;
  /** The same of many notes in few reads; of what is not there, nothing. */
  readable(ids: readonly string[]): Promise<Map<string, ReadableNote & { text: string; headings: string }>>;
}
