import { accounts } from './001-accounts.ts';
import { search } from './002-search.ts';
import { notes } from './003-notes.ts';
import { wiki } from './004-wiki.ts';
import { sheets } from './005-sheets.ts';
import { trash } from './006-trash.ts';
import { limits } from './007-limits.ts';
import { titles } from './008-titles.ts';
import { storage } from './009-storage.ts';
import { jobOwners } from './010-job-owners.ts';
import { searchSegments } from './011-search-segments.ts';
import { oauth } from './012-oauth.ts';
import { embeddings } from './013-embeddings.ts';
import { nodes } from './014-nodes.ts';
import { segmentFormats } from './015-segment-format.ts';
import { auditMonths } from './016-audit-months.ts';
import { webhooks } from './017-webhooks.ts';
import { publicLinks } from './018-public-links.ts';
import { tasks } from './019-tasks.ts';
import { sessionDevices } from './021-session-devices.ts';
import { goneDocuments } from './022-gone-documents.ts';
import { outboxUsers } from './023-outbox-users.ts';
import { sharing } from './024-sharing.ts';
import { noteGraph } from './025-note-graph.ts';
import { embeddingModel } from './026-embedding-model.ts';
import type { Migration } from './migration.ts';

export const migrations: readonly Migration[] = [
  accounts,
  search,
  notes,
  wiki,
  sheets,
  trash,
  limits,
  titles,
  storage,
  jobOwners,
  searchSegments,
  oauth,
  embeddings,
  nodes,
  segmentFormats,
  auditMonths,
  webhooks,
  publicLinks,
  tasks,
  sessionDevices,
  goneDocuments,
  outboxUsers,
  sharing,
  noteGraph,
  embeddingModel,
];
