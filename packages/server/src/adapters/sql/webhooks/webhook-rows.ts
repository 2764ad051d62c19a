import { newId } from '../../../lib/ids.ts';
import { webhookJob, type Delivery, type Webhook, type WebhookEvent } from '../../../ports/webhook-store.ts';
import type { Sql } from '../database.ts';
import { rowMapper, type Row } from '../row.ts';
import { sql } from '../statement.ts';
import { addJob } from '../job-queue.ts';

/**
 * Name of the lock for all writes that change webhooks or depend on them. One lock is enough, because such writes are
 * rare.
 */
export const webhookLock = 'webhooks';

/** Maximum number of attempts for a delivery. With the job queue's growing delays, they take about an hour. */
const maxAttempts = 20;
/** Number of finished deliveries per webhook that are stored for display. */
const keptDeliveries = 50;

export type WebhookRow = Row<Omit<Webhook, 'sealedSecret'>> & {
  secret_sealed: string;
  missed: number;
  after_audit: number;
};

export const toWebhook = rowMapper<Webhook>()('id, user_id, key_id, kind, subject_id, url, state, reason, created_at', {
  sealedSecret: (row: WebhookRow) => row.secret_sealed,
});

export type DeliveryRow = Row<Delivery>;

export const toDelivery = rowMapper<Delivery>()(
  'id, webhook_id, type, state, attempts, status, reason, created_at, updated_at',
  {
    events: (row: DeliveryRow) => JSON.parse(row.events) as WebhookEvent[],
    missed: (row: DeliveryRow) => row.missed !== 0,
  },
);

/**
 * Adds a delivery and the job that sends it. Deletes the oldest finished deliveries if there are more than
 * `keptDeliveries`.
 */
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
