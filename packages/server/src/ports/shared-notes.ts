/** Access to notes through shared knowledge bases. */
export interface SharedNotes {
  /** Whether the user is a member of a shared base that holds the note. */
  sharedWith(noteId: string, userId: string): Promise<boolean>;
}
