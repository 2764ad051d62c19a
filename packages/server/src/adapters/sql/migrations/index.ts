import { accounts } from './001-accounts.ts';
import { search } from './002-search.ts';
import { notes } from './003-notes.ts';
import { wiki } from './004-wiki.ts';
import { sheets } from './005-sheets.ts';
import { trashIndexes } from './006-trash-indexes.ts';
import { rateLimits } from './007-rate-limits.ts';
import { titleIndex } from './008-title-index.ts';
import { storageAccounting } from './009-storage-accounting.ts';
import { jobOwners } from './010-job-owners.ts';
import { searchSegments } from './011-search-segments.ts';
import { oauth } from './012-oauth.ts';
import { embeddings } from './013-embeddings.ts';
import { nodeLeases } from './014-node-leases.ts';
import { segmentFormats } from './015-segment-format.ts';
import { auditMonths } from './016-audit-months.ts';
import { webhooks } from './017-webhooks.ts';
import { publicLinks } from './018-public-links.ts';
import { tasks } from './019-tasks.ts';
import { sessionDevices } from './021-session-devices.ts';
import { incrementalDeletionReads } from './022-incremental-deletion-reads.ts';
import { outboxUsers } from './023-outbox-users.ts';
import { sharing } from './024-sharing.ts';
import { noteGraph } from './025-note-graph.ts';
import { embeddingModel } from './026-embedding-model.ts';
import { noteRooms } from './027-note-rooms.ts';
import { commentsAndInbox } from './028-comments-and-inbox.ts';
import { writeReasons } from './030-write-reasons.ts';
import { agentMemory } from './031-agent-memory.ts';
import { checksums } from './032-checksums.ts';
import { lastBackup } from './033-last-backup.ts';
import { profiles } from './036-profiles.ts';
import { filedSheets } from './037-filed-sheets.ts';
import { outboxRoom } from './038-outbox-room.ts';
import type { Migration } from './migration.ts';

export const migrations: readonly Migration[] = [
  accounts,
  search,
  notes,
  wiki,
  sheets,
  trashIndexes,
  rateLimits,
  titleIndex,
  storageAccounting,
  jobOwners,
  searchSegments,
  oauth,
  embeddings,
  nodeLeases,
  segmentFormats,
  auditMonths,
  webhooks,
  publicLinks,
  tasks,
  sessionDevices,
  incrementalDeletionReads,
  outboxUsers,
  sharing,
  noteGraph,
  embeddingModel,
  noteRooms,
  commentsAndInbox,
  writeReasons,
  agentMemory,
  checksums,
  lastBackup,
  profiles,
  filedSheets,
  outboxRoom,
];
