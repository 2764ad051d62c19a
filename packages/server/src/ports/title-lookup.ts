import { modulesOfKinds } from './permission-store.ts';

export type TitledKind = 'note' | 'notebook' | 'base' | 'sheet' | 'item';

/** Input fields that hold the id of an object in operations of every module, and may hold its title instead. */
export const titledFields: Readonly<Record<string, TitledKind>> = {
  note_id: 'note',
  doc_id: 'note',
  note_ids: 'note',
  knowledge_base_id: 'base',
  target_knowledge_base_id: 'base',
  file_id: 'sheet',
  media_id: 'item',
  media_ids: 'item',
};

export const titledNouns: Readonly<Record<TitledKind, string>> = {
  note: 'notes',
  notebook: 'notebooks',
  base: 'knowledge bases',
  sheet: 'spreadsheets',
  item: 'items',
};

/** Modules whose operations use each kind of object. An API key needs access to one of them to find such objects. */
export const modulesOfTitled: Readonly<Record<TitledKind, readonly string[]>> = { ...modulesOfKinds, item: ['wiki'] };

export interface TitledObject {
  id: string;
  title: string;
}

/** Finds objects by their title. */
export interface TitleLookup {
  /**
   * Returns the objects of this kind with this title: the user's own and those shared with the user, but only the
   * user's own notebooks. Deleted objects are left out. Ignores case and accents, except in titles of knowledge base
   * items (`item`). Returns at most `limit` objects, oldest first.
   */
  find(userId: string, kind: TitledKind, title: string, limit: number): Promise<TitledObject[]>;
}
