import type { WikiStore } from '../../../ports/wiki-store.ts';
import type { Database } from '../database.ts';
import { SqlBaseStore } from './bases.ts';
import { SqlTreeStore } from './folders.ts';
import { SqlItemStore } from './items.ts';
import { SqlSessionStore } from './sessions.ts';
import { SqlTextStore } from './texts.ts';
import { SqlUploadStore } from './uploads.ts';

export class SqlWikiStore implements WikiStore {
  readonly bases: SqlBaseStore;
  readonly tree: SqlTreeStore;
  readonly items: SqlItemStore;
  readonly texts: SqlTextStore;
  readonly uploads: SqlUploadStore;
  readonly sessions: SqlSessionStore;

  constructor(db: Database) {
    this.bases = new SqlBaseStore(db);
    this.tree = new SqlTreeStore(db);
    this.items = new SqlItemStore(db);
    this.texts = new SqlTextStore(db);
    this.uploads = new SqlUploadStore(db);
    this.sessions = new SqlSessionStore(db);
  }
}
