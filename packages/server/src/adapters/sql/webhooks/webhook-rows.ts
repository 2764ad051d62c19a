import { newId } from '../../../lib/ids.ts';
import {
  webhookJob,
  type Delivery,
  type DeliveryState,
  type Webhook,
  type WebhookEvent,
  type WebhookKind,
  type WebhookState,
} from '../../../ports/webhook-store.ts';
import type { Sql } from '../database.ts';
import { sql } from '../statement.ts';
import { addJob } from '../job-queue.ts';

/** Lock for all writes that change webhooks or depend on them, which are few and rare. */
export const webhookLock = 'webhooks';

/** Attempts within about an hour, with the queue's growing delays. */
const maxAttempts = 20;
/** Number of finished deliveries kept for display. */
const keptDeliveries = 50;

export interface WebhookRow {
  id: string;
  user_id: string;
  key_id: string;
  kind: WebhookKind;
  subject_id: string;
  url: string;
  secret_sealed: string;
  state: WebhookState;
  reason: string;
  failures: number;
  missed: number;
  after_audit: number;
  created_at: number;
}

export function toWebhook(row: WebhookRow): Webhook {
  return {
    id: row.id,
    userId: row.user_id,
    keyId: row.key_id,
    kind: row.kind,
    subjectId: row.subject_id,
    url: row.url,
    sealedSecret: row.secret_sealed,
    state: row.state,
    reason: row.reason,
    createdAt: row.created_at,
  };
}

export interface DeliveryRow {
  id: string;
  webhook_id: string;
  type: Delivery['type'];
  state: DeliveryState;
  events: string;
  missed: number;
  attempts: number;
  status: number;
  reason: string;
  created_at: number;
  updated_at: number;
}

export function toDelivery(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    webhookId: row.webhook_id,
    type: row.type,
    state: row.state,
    events: JSON.parse(row.events) as WebhookEvent[],
    missed: row.missed !== 0,
    attempts: row.attempts,
    status: row.status,
    reason: row.reason,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** Adds a delivery and its job, and deletes the oldest finished delivery. */
export async function addDelivery(
  tx: Sql,
  at: number,
  webhook: { id: string; userId: string },
  content: { type: Delivery['type']; events: readonly WebhookEvent[]; missed: boolean },
): Promise<string> {
  const id = newId('delivery');
  await tx.execute(sql`INSERT INTO webhook_delivery (id, webhook_id, type, state, events, missed, attempts, status,
    reason, created_at, updated_at) VALUES (${id}, ${webhook.id}, ${content.type}, 'waiting',
    ${JSON.stringify(content.events)}, ${content.missed ? 1 : 0}, 0, 0, '', ${at}, ${at})`);
  await addJob(tx, at, {
    kind: webhookJob,
    subject: webhook.id,
    payload: { delivery: id },
    maxAttempts,
    owner: webhook.userId,
  });
  await tx.execute(sql`DELETE FROM webhook_delivery WHERE webhook_id = ${webhook.id} AND state <> 'waiting'
    AND id NOT IN ( SELECT id FROM webhook_delivery WHERE webhook_id = ${webhook.id} AND state <> 'waiting'
    ORDER BY id DESC LIMIT ${keptDeliveries})`);
  return id;
}
