/** Where notes meet shared knowledge bases. Until something shares notes, nothing is shared. */
export interface SharedNotes {
  /** Whether the user is a member of a shared base that holds the note. */
  sharedWith(noteId: string, userId: string): Promise<boolean>;
}

export const nothingShared: SharedNotes = { sharedWith: async () => false };
