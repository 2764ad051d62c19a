import type { Clock } from '../../../ports/clock.ts';
import { QuotaExceeded } from '../../../ports/blob-accounting.ts';
import type { Stamp } from '../../../ports/audit-stamp.ts';
import {
  maxWebhooks,
  webhookBytes,
  webhookJob,
  WebhookRefused,
  type Delivery,
  type Webhook,
  type WebhookLimits,
  type WebhookStore,
} from '../../../ports/webhook-store.ts';
import type { Database, Sql } from '../database.ts';
import { raw, sql } from '../statement.ts';
import { addStorage } from '../storage-usage.ts';
import { collectDeliveries } from './collect-deliveries.ts';
import { addDelivery, toDelivery, toWebhook, webhookLock, type DeliveryRow, type WebhookRow } from './webhook-rows.ts';

/**
 * Number of consecutive failed deliveries after which a webhook is paused. Each delivery is attempted for about an
 * hour.
 */
const maxFailures = 10;
const newestAudit = '(SELECT COALESCE(MAX(id), 0) FROM audit)';

export class SqlWebhookStore implements WebhookStore {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  async create(stamp: Stamp, webhook: Webhook, { quotaBytes }: WebhookLimits): Promise<void> {
    await this.#db.write(stamp, { target: webhook.id, lock: webhookLock }, async (tx) => {
      const found = await tx.get<{ n: number }>('SELECT COUNT(*) AS n FROM webhook WHERE user_id = ?', webhook.userId);
      const count = found?.n ?? 0;
      if (count >= maxWebhooks) throw new WebhookRefused({ reason: 'too_many', count, limit: maxWebhooks });
      await tx.execute(sql`INSERT INTO webhook (id, user_id, key_id, kind, subject_id, url, secret_sealed, state,
        reason, failures, missed, after_audit, created_at) VALUES (${webhook.id}, ${webhook.userId}, ${webhook.keyId},
        ${webhook.kind}, ${webhook.subjectId}, ${webhook.url}, ${webhook.sealedSecret}, ${webhook.state},
        ${webhook.reason}, 0, 0, ${raw(newestAudit)}, ${webhook.createdAt})`);
      const over = await addStorage(tx, webhook.userId, webhookBytes, quotaBytes);
      if (over) throw new QuotaExceeded({ reason: 'storage_full', field: 'webhook', bytes: webhookBytes, ...over });
    });
  }

  async webhook(id: string): Promise<Webhook | undefined> {
    const row = await this.#db.get<WebhookRow>(sql`SELECT * FROM webhook WHERE id = ${id}`);
    return row && toWebhook(row);
  }

  async list(userId: string): Promise<Webhook[]> {
    const rows = await this.#db.all<WebhookRow>(sql`SELECT * FROM webhook WHERE user_id = ${userId} ORDER BY id`);
    return rows.map(toWebhook);
  }

  async change(...[stamp, userId, id, change]: Parameters<WebhookStore['change']>): Promise<boolean> {
    return this.#db.write(stamp, { target: id, lock: webhookLock }, async (tx) => {
      const row = await tx.get<WebhookRow>(sql`SELECT * FROM webhook WHERE id = ${id} AND user_id = ${userId}`);
      if (!row) return false;
      const next = { ...toWebhook(row), ...change };
      await tx.execute(sql`UPDATE webhook SET url = ${next.url}, secret_sealed = ${next.sealedSecret},
        state = ${next.state}, reason = ${next.reason}, key_id = ${next.keyId} WHERE id = ${id}`);
      if (row.state !== 'active' && next.state === 'active')
        await tx.execute(`UPDATE webhook SET failures = 0, missed = 0, after_audit = ${newestAudit} WHERE id = ?`, id);
      return true;
    });
  }

  async remove(stamp: Stamp, userId: string, id: string): Promise<boolean> {
    return this.#db.write(stamp, { target: id, lock: webhookLock }, async (tx) => {
      if ((await tx.run(sql`DELETE FROM webhook WHERE id = ${id} AND user_id = ${userId}`)) === 0) return false;
      await tx.execute(sql`DELETE FROM webhook_delivery WHERE webhook_id = ${id}`);
      await tx.execute(sql`DELETE FROM job WHERE kind = ${webhookJob} AND subject = ${id} AND state = 'queued'`);
      await addStorage(tx, userId, -webhookBytes, 0);
      return true;
    });
  }

  addTest(stamp: Stamp, webhook: Webhook): Promise<string> {
    const content = { type: 'test', events: [], missed: false } as const;
    return this.#db.write(
      stamp,
      {
        target: webhook.id,
        lock: webhookLock,
      },
      (tx) => addDelivery(tx, this.#clock.now(), webhook, content),
    );
  }

  async deliveries(webhookId: string): Promise<Delivery[]> {
    const rows = await this.#db.all<DeliveryRow>(sql`SELECT * FROM webhook_delivery WHERE webhook_id = ${webhookId}
      ORDER BY id DESC`);
    return rows.map(toDelivery);
  }

  async delivery(id: string): Promise<Delivery | undefined> {
    const row = await this.#db.get<DeliveryRow>(sql`SELECT * FROM webhook_delivery WHERE id = ${id}`);
    return row && toDelivery(row);
  }

  async attempted(
    id: string,
    { state, attempts, status, reason }: Pick<Delivery, 'state' | 'attempts' | 'status' | 'reason'>,
    at: number,
  ): Promise<void> {
    await this.#db.write(null, { lock: webhookLock }, async (tx) => {
      const row = await tx.get<{ webhook_id: string }>(sql`UPDATE webhook_delivery
        SET state = ${state}, attempts = ${attempts}, status = ${status}, reason = ${reason}, updated_at = ${at}
        WHERE id = ${id} AND state = 'waiting' RETURNING webhook_id`);
      if (!row) return;
      if (state === 'delivered') await tx.execute(sql`UPDATE webhook SET failures = 0 WHERE id = ${row.webhook_id}`);
      if (state !== 'failed') return;
      await tx.execute(sql`UPDATE webhook SET failures = failures + 1 WHERE id = ${row.webhook_id}`);
      await tx.execute(
        "UPDATE webhook SET state = 'paused', reason = ? WHERE id = ? AND state = 'active' AND failures >= ?",
        `${maxFailures} deliveries in a row did not arrive; the last: ${reason}`,
        row.webhook_id,
        maxFailures,
      );
    });
  }

  collect(): Promise<number> {
    return collectDeliveries(this.#db, this.#clock.now());
  }
}

export async function deleteWebhooksOf(tx: Sql, userId: string): Promise<void> {
  await tx.execute(sql`DELETE FROM webhook_delivery WHERE webhook_id IN (SELECT id FROM webhook
    WHERE user_id = ${userId})`);
  const count = await tx.run(sql`DELETE FROM webhook WHERE user_id = ${userId}`);
  if (count > 0) await addStorage(tx, userId, -count * webhookBytes, 0);
}
