import type { Clock } from '../../ports/clock.ts';
import type { InboxLine, InboxReader, LineType } from '../../ports/inbox.ts';
import { allLines, type AgentWrite, type CommentNotice, type InboxStore } from '../../ports/inbox-store.ts';
import type { PermissionStore, ResourceKind } from '../../ports/permission-store.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** Time in milliseconds for which entries stay in an inbox. */
const shownMs = 30 * dayMs;
const maxPeople = 5;
const maxOperations = 5;

type Draft = Omit<InboxLine, 'isRead'>;

/**
 * Builds a user's inbox on request from stored comments, shares and changes. Every call checks again what the user may
 * see.
 */
export class DerivedInboxReader implements InboxReader {
  readonly #store: InboxStore;
  readonly #permissions: PermissionStore;
  readonly #clock: Clock;

  constructor(store: InboxStore, permissions: PermissionStore, clock: Clock) {
    this.#store = store;
    this.#permissions = permissions;
    this.#clock = clock;
  }

  async lines(userId: string, kinds: readonly ResourceKind[]): Promise<InboxLine[]> {
    const since = this.#clock.now() - shownMs;
    const [notices, shares, changes, writes, read] = await Promise.all([
      this.#store.notices(userId, since),
      this.#store.shares(userId, since),
      this.#store.changes(userId, since),
      this.#store.agentWrites(userId, since),
      this.#store.readTimes(userId),
    ]);
    const readAt = (id: string): number => read.get(id) ?? read.get(allLines) ?? 0;
    const drafts = [
      ...noticeLines(notices, readAt),
      ...groupLines('share', shares, () => 0),
      ...groupLines('change', changes, readAt),
    ];
    const visible = await this.#visibleTitles(userId, drafts, kinds);
    const shown = drafts.flatMap((draft): Draft[] => {
      const title = visible.get(draft.subjectId!);
      return title === undefined ? [] : [{ ...draft, title }];
    });
    return [...shown, ...agentLines(writes, readAt)]
      .map((draft) => ({ ...draft, isRead: draft.at <= readAt(draft.id) }))
      .sort((a, b) => b.at - a.at || (a.id < b.id ? -1 : 1));
  }

  /**
   * Returns the titles of the objects that the inbox lines are about, by id. Leaves out objects that the user may not
   * see now.
   */
  async #visibleTitles(
    userId: string,
    drafts: readonly Draft[],
    kinds: readonly ResourceKind[],
  ): Promise<Map<string, string>> {
    const found = await Promise.all(
      kinds.map(async (kind) => {
        const ids = [...new Set(drafts.filter((draft) => draft.kind === kind).map((draft) => draft.subjectId!))];
        if (ids.length === 0) return new Map<string, string>();
        const roles = await this.#permissions.roles(kind, ids, userId);
        return this.#store.titles(kind, [...roles.keys()]);
      }),
    );
    return new Map(found.flatMap((titles) => [...titles]));
  }
}

/**
 * Creates one inbox line for each comment that mentions the user, and one line per comment thread for all other
 * comments.
 */
function noticeLines(notices: readonly CommentNotice[], readAt: (id: string) => number): Draft[] {
  const lines = new Map<string, Draft>();
  for (const notice of notices) {
    const { kind, subjectId, threadId, entryId, authorId, reason, text, version, at } = notice;
    // Skip a comment on a note if its text is missing: the comment was deleted, because the text is stored with it.
    if (kind === 'note' && text === undefined) continue;
    const id = reason === 'mention' ? `mention:${subjectId}:${entryId}` : `thread:${subjectId}:${threadId}`;
    const known = lines.get(id);
    if (!known) {
      const said = kind === 'note' ? { text: text! } : { version };
      lines.set(id, { id, type: reason, at, count: 1, kind, subjectId, by: [authorId], threadId, entryId, ...said });
      continue;
    }
    // Notices are ordered newest first. An older comment adds its author to the line, but is counted only if it is
    // newer than the last time at which the user read the line.
    if (at > readAt(id)) known.count++;
    addPerson(known, authorId);
  }
  return [...lines.values()];
}

interface SubjectEvent {
  kind: ResourceKind;
  id: string;
  by: string;
  at: number;
}

/**
 * Creates one inbox line per object: for all its shares if `type` is `share`, for all its changes if `type` is
 * `change`.
 */
function groupLines(
  type: Extract<LineType, 'share' | 'change'>,
  events: readonly SubjectEvent[],
  readAt: (id: string) => number,
): Draft[] {
  const lines = new Map<string, Draft>();
  for (const event of [...events].sort((a, b) => b.at - a.at)) {
    const id = `${type}:${event.id}`;
    const known = lines.get(id);
    if (!known) {
      lines.set(id, { id, type, at: event.at, count: 1, kind: event.kind, subjectId: event.id, by: [event.by] });
      continue;
    }
    if (type === 'change' && event.at > readAt(id)) known.count++;
    addPerson(known, event.by);
  }
  return [...lines.values()];
}

function addPerson({ by }: Draft, userId: string): void {
  if (by.length < maxPeople && !by.includes(userId)) by.push(userId);
}

/** Creates one inbox line per day (UTC) for the writes of each API key or app, with its most frequent operations. */
function agentLines(writes: readonly AgentWrite[], readAt: (id: string) => number): Draft[] {
  const lines = new Map<string, Draft & { counts: Map<string, number> }>();
  for (const { keyId, keyName, operation, at } of writes) {
    const id = `agent:${keyId}:${Math.floor(at / dayMs)}`;
    let line = lines.get(id);
    if (!line) lines.set(id, (line = { id, type: 'agent', at, count: 0, by: [], keyId, keyName, counts: new Map() }));
    // If some writes of the day are newer than the last time at which the user read the line, skip the older ones, so
    // that the line shows what is new.
    if (line.at > readAt(id) && at <= readAt(id)) continue;
    line.count++;
    line.counts.set(operation, (line.counts.get(operation) ?? 0) + 1);
  }
  return [...lines.values()].map(({ counts, ...line }) => ({
    ...line,
    operations: [...counts]
      .map(([operation, count]) => ({ operation, count }))
      .sort((a, b) => b.count - a.count || (a.operation < b.operation ? -1 : 1))
      .slice(0, maxOperations),
  }));
}
