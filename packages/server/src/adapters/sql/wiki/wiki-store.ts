import type { WikiStore } from '../../../ports/wiki-store.ts';
import type { Database } from '../database.ts';
import { SqlBaseStore } from './base-store.ts';
import { SqlTreeStore } from './tree-store.ts';
import { SqlItemStore } from './item-store.ts';
import { SqlAiSessionStore } from './ai-session-store.ts';
import { SqlTextStore } from './text-store.ts';
import { SqlUploadStore } from './upload-store.ts';

export class SqlWikiStore implements WikiStore {
  readonly bases: SqlBaseStore;
  readonly tree: SqlTreeStore;
  readonly items: SqlItemStore;
  readonly texts: SqlTextStore;
  readonly uploads: SqlUploadStore;
  readonly sessions: SqlAiSessionStore;

  constructor(db: Database) {
    this.bases = new SqlBaseStore(db);
    this.tree = new SqlTreeStore(db);
    this.items = new SqlItemStore(db);
    this.texts = new SqlTextStore(db);
    this.uploads = new SqlUploadStore(db);
    this.sessions = new SqlAiSessionStore(db);
  }
}
