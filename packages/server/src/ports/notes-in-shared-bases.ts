/** Checks access to notes through shared knowledge bases. */
export interface NotesInSharedBases {
  /** Returns whether the user is a member of a shared knowledge base that contains the note. */
  sharedWith(noteId: string, userId: string): Promise<boolean>;
}
