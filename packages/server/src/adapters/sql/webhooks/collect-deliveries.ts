import { mediaNumber } from '@sheaf/client/media-types';
import type { WebhookEvent } from '../../../ports/webhook-store.ts';
import type { Database, Sql } from '../database.ts';
import { queryInChunks, raw, sql } from '../statement.ts';
import { addInboxes, type SubjectsOfTarget } from './inbox-subjects.ts';
import { addDelivery, webhookLock, type WebhookRow } from './webhook-rows.ts';

const pageSize = 500;
/** Maximum number of events in a delivery. If there are more, the delivery states that events are missing. */
const maxEvents = 20;
/** Maximum number of unsent deliveries per webhook. Above it, no deliveries are added. */
const maxWaiting = 30;
/**
 * Time in milliseconds after which an id missing in the sequence of audit rows counts as rolled back. Before that, the
 * transaction that took the id may still commit.
 */
const settledMs = 60_000;
const maxMissing = 2000;
/** Operations that no webhook reports. They change nothing that a webhook can watch, or only create a file. */
const unreportedOperations = /^(account|page|sso|oauth)\.|\.(export|pre_import|create_media)/;

/**
 * Media types, as an SQL list, of knowledge base items that refer to a note or AI session instead of having a file.
 * They are part of the SQL text and not parameters, so that the query matches the partial index.
 */
const references = `${mediaNumber.note}, ${mediaNumber.session}`;

/** Operation name of the events that report a change of a user's inbox (the user's list of notifications). */
const inboxChange = 'inbox.changed';

interface AuditRow {
  id: number;
  at: number;
  user_id: string;
  operation: string;
  target: string;
}

/** Audit ids without a row, each with the time at which the gap was first seen. */
type Missing = [id: number, since: number][];

/**
 * Creates webhook deliveries from the audit log. Returns their number. The log has a row for every write, inserted in
 * the write's own transaction. PostgreSQL assigns row ids before the commit, so a skipped id may still appear; it is
 * looked up again until its transaction must have failed.
 */
export async function collectDeliveries(db: Database, now: number): Promise<number> {
  if (!(await isSomethingNew(db))) return 0;
  return db.write(null, { lock: webhookLock }, (tx) => collectPage(tx, now));
}

/**
 * Returns whether there are new writes to report to webhooks. Usually there are none, so this check is made before the
 * lock is taken.
 */
async function isSomethingNew(db: Database): Promise<boolean> {
  const found = await db.get<{ heard: number | null; missed: number | null }>(
    "SELECT MIN(after_audit) AS heard, MAX(missed) AS missed FROM webhook WHERE state = 'active'",
  );
  if (!found || found.heard === null) return false;
  const progress = await db.get<{ audit_id: number; missing: string }>(
    'SELECT audit_id, missing FROM webhook_progress WHERE one = 1',
  );
  if (found.missed || (progress && progress.missing !== '[]')) return true;
  const newest = await db.get<{ n: number | null }>('SELECT MAX(id) AS n FROM audit');
  return (newest?.n ?? 0) > Math.max(progress?.audit_id ?? 0, found.heard);
}

async function collectPage(tx: Sql, now: number): Promise<number> {
  const first = await tx.get<{ heard: number | null }>(
    "SELECT MIN(after_audit) AS heard FROM webhook WHERE state = 'active'",
  );
  if (!first || first.heard === null) return 0;
  const progress = await tx.get<{ audit_id: number; missing: string }>(
    'SELECT audit_id, missing FROM webhook_progress WHERE one = 1',
  );
  // Skip audit rows from before the first of the active webhooks was created or reactivated. There may be many, because
  // the audit log is not read while no webhook is active.
  const start = Math.max(progress?.audit_id ?? 0, first.heard);
  const missing = progress && progress.audit_id === start ? (JSON.parse(progress.missing) as Missing) : [];
  const late = await queryInChunks<AuditRow>(
    missing.map(([id]) => id),
    (list) => tx.all(sql`SELECT id, at, user_id, operation, target FROM audit WHERE id IN (${list})`),
  );
  const page = await tx.all<AuditRow>(sql`SELECT id, at, user_id, operation, target FROM audit WHERE id > ${start}
    ORDER BY id LIMIT ${pageSize}`);
  const made = await deliver(tx, now, [...late, ...page]);
  const left = stillMissing(missing, late, start, page, now);
  await tx.execute(sql`INSERT INTO webhook_progress (one, audit_id, missing)
    VALUES (1, ${page.at(-1)?.id ?? start}, ${JSON.stringify(left)}) ON CONFLICT (one)
    DO UPDATE SET audit_id = excluded.audit_id, missing = excluded.missing`);
  return made;
}

function stillMissing(
  before: Missing,
  late: readonly AuditRow[],
  start: number,
  page: readonly AuditRow[],
  now: number,
): Missing {
  const came = new Set(late.map(({ id }) => id));
  const left = before.filter(([id, since]) => !came.has(id) && now - since < settledMs);
  let expected = start + 1;
  for (const { id } of page) {
    for (let gone = Math.max(expected, id - maxMissing); gone < id; gone++) left.push([gone, now]);
    expected = id + 1;
  }
  return left.slice(-maxMissing);
}

async function deliver(tx: Sql, now: number, rows: readonly AuditRow[]): Promise<number> {
  const told = rows.filter(({ operation, target }) => target !== '' && !unreportedOperations.test(operation));
  const places = await findSubjects(tx, [...new Set(told.map(({ target }) => target))]);
  await addInboxes(tx, places, told);
  const subjects = new Set([...places.values()].flatMap((found) => found.map(({ subject }) => subject)));
  const listening = await queryInChunks<WebhookRow>([...subjects], (list) =>
    tx.all(sql`SELECT * FROM webhook WHERE state = 'active' AND subject_id IN (${list})`),
  );
  const late = await tx.all<WebhookRow>("SELECT * FROM webhook WHERE state = 'active' AND missed = 1");
  let made = 0;
  for (const webhook of new Map([...listening, ...late].map((row) => [row.id, row])).values()) {
    const events = eventsFor(webhook, told, places);
    if (events.length === 0 && webhook.missed === 0) continue;
    if (await deliverTo(tx, now, webhook, events)) made++;
  }
  return made;
}

async function deliverTo(tx: Sql, now: number, webhook: WebhookRow, events: WebhookEvent[]): Promise<boolean> {
  const waiting = await tx.get<{ n: number }>(sql`SELECT COUNT(*) AS n FROM webhook_delivery
    WHERE webhook_id = ${webhook.id} AND state = 'waiting'`);
  const isFull = (waiting?.n ?? 0) >= maxWaiting;
  if (isFull !== (webhook.missed !== 0))
    await tx.execute(sql`UPDATE webhook SET missed = ${isFull ? 1 : 0} WHERE id = ${webhook.id}`);
  if (isFull) return false;
  await addDelivery(
    tx,
    now,
    { id: webhook.id, userId: webhook.user_id },
    {
      type: 'changes',
      events: events.slice(-maxEvents),
      missed: webhook.missed !== 0 || events.length > maxEvents,
    },
  );
  return true;
}

/**
 * Converts audit rows to events for a webhook. Repeated operations by the same user on the same object become one
 * event.
 */
function eventsFor(webhook: WebhookRow, rows: readonly AuditRow[], places: SubjectsOfTarget): WebhookEvent[] {
  const events = new Map<string, WebhookEvent>();
  for (const row of rows) {
    if (row.id <= webhook.after_audit) continue;
    if (webhook.kind === 'inbox') {
      addInboxEvent(webhook, row, places, events);
      continue;
    }
    for (const { subject, target } of places.get(row.target) ?? []) {
      if (subject !== webhook.subject_id) continue;
      const about = `${row.user_id} ${row.operation} ${target}`;
      const count = (events.get(about)?.count ?? 0) + 1;
      events.delete(about);
      events.set(about, { at: row.at, user_id: row.user_id, operation: row.operation, target, count });
    }
  }
  return [...events.values()];
}

/**
 * Adds an event about a change in a user's inbox, or adds to the count of the one event that exists already. The event
 * does not name the changed object, because the user may not be allowed to see it.
 */
function addInboxEvent(
  webhook: WebhookRow,
  row: AuditRow,
  places: SubjectsOfTarget,
  events: Map<string, WebhookEvent>,
): void {
  const concerns = places.get(row.target)?.some(({ subject }) => subject === webhook.subject_id);
  if (!concerns || row.user_id === webhook.user_id) return;
  const count = (events.get(inboxChange)?.count ?? 0) + 1;
  events.set(inboxChange, { at: row.at, user_id: '', operation: inboxChange, target: '', count });
}

async function findSubjects(tx: Sql, targets: readonly string[]): Promise<SubjectsOfTarget> {
  const places: SubjectsOfTarget = new Map(targets.map((target) => [target, [{ subject: target, target }]]));
  const add = (of: string, subject: string, target = of): void => void places.get(of)?.push({ subject, target });
  for (const table of ['wiki_item', 'wiki_folder']) {
    const rows = await queryInChunks<{ id: string; base_id: string }>(targets, (list) =>
      tx.all(sql`SELECT id, base_id FROM ${raw(table)} WHERE id IN (${list})`),
    );
    for (const row of rows) add(row.id, row.base_id);
  }
  const notes = await queryInChunks<{ id: string; notebook_id: string }>(targets, (list) =>
    tx.all(sql`SELECT id, notebook_id FROM note WHERE id IN (${list})`),
  );
  for (const row of notes) if (row.notebook_id !== '') add(row.id, row.notebook_id);
  // Also report items that refer to the written note or session, because they change with it.
  const shown = await queryInChunks<{ id: string; base_id: string; content_id: string }>(targets, (list) =>
    tx.all(sql`SELECT id, base_id, content_id FROM wiki_item WHERE media_type IN (${raw(references)})
      AND deleted_at IS NULL AND content_id IN (${list})`),
  );
  for (const row of shown) add(row.content_id, row.base_id, row.id);
  return places;
}
