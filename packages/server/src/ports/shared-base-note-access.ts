/** Checks access to notes through shared knowledge bases. */
export interface SharedBaseNoteAccess {
  /** Returns whether a knowledge base that the user may read contains the note. */
  sharedWith(noteId: string, userId: string): Promise<boolean>;
}
