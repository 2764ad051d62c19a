import type { Services } from '../../../context.ts';
import { JobDelayed, JobFailed, type Job, type JobHandler } from '../../../ports/job-queue.ts';
import { systemStamp } from '../../../ports/audit-stamp.ts';
import { resourceKinds } from '../../../ports/permission-store.ts';
import { FetchRefused, type FetchRefusal } from '../../../ports/web-fetcher.ts';
import { webhookJob, type Delivery, type Webhook } from '../../../ports/webhook-store.ts';
import { accessEndReason } from './subject-access.ts';
import { signHeaders } from './signature.ts';

const timeoutMs = 15_000;
/**
 * Tolerated difference in milliseconds between the clocks of two server nodes. The time of an event and the time of its
 * entry in an inbox may come from different nodes.
 */
const clockToleranceMs = 2000;
const httpGone = 410;

/**
 * Job that sends one webhook delivery. A retry has the same delivery id, so that the receiver can detect duplicates.
 */
export class WebhookDeliveryJob implements JobHandler {
  readonly kind = webhookJob;
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  async run(job: Job, signal: AbortSignal): Promise<void> {
    const { webhooks } = this.#services;
    const delivery = await webhooks.delivery(deliveryOf(job));
    const webhook = delivery && (await webhooks.webhook(delivery.webhookId));
    // Skip the job if the delivery or its webhook was deleted, or if an earlier attempt completed the delivery but did
    // not end the job.
    if (!webhook || delivery.state !== 'waiting') return;
    const why = await this.#dropReason(webhook, delivery);
    if (why !== undefined) return this.#recordAttempt(job, { state: 'dropped', status: 0, reason: why });
    await this.#send(job, webhook, delivery, signal);
  }

  async giveUp(job: Job, reason: string): Promise<void> {
    const { webhooks } = this.#services;
    const delivery = await webhooks.delivery(deliveryOf(job));
    if (delivery) await this.#recordAttempt(job, { state: 'failed', status: delivery.status, reason });
  }

  /**
   * Returns the reason why the delivery must not be sent; undefined if it may be sent. Ends the webhook if its owner or
   * its API key has lost access.
   */
  async #dropReason(webhook: Webhook, { type, events }: Delivery): Promise<string | undefined> {
    if (webhook.state === 'ended') return webhook.reason;
    if (webhook.state === 'paused' && type !== 'test') return 'the webhook was paused';
    const ended = await accessEndReason(this.#services, webhook);
    if (ended !== undefined) await this.#changeState(webhook, 'ended', ended);
    if (ended !== undefined || webhook.kind !== 'inbox' || type === 'test') return ended;
    return (await this.#hasNews(webhook, events)) ? undefined : 'nothing in the inbox is new, or may still be seen';
  }

  /**
   * Returns whether the user's inbox has an unread entry that is not older than the delivery's events. The inbox
   * contains only entries about objects that the user may see now. Entries about writes by the user's own API keys and
   * apps do not count.
   */
  async #hasNews({ userId }: Webhook, events: Delivery['events']): Promise<boolean> {
    // A delivery without events only reports that events were missed, so every unread entry counts.
    const since = events.length === 0 ? 0 : Math.min(...events.map(({ at }) => at)) - clockToleranceMs;
    const lines = await this.#services.inbox.lines(userId, resourceKinds);
    return lines.some((line) => line.type !== 'agent' && !line.isRead && line.at >= since);
  }

  async #changeState(webhook: Webhook, state: Webhook['state'], reason: string): Promise<void> {
    const { webhooks, clock } = this.#services;
    const stamp = systemStamp(clock.now(), `job:${webhookJob}`, webhook.userId);
    await webhooks.change(stamp, webhook.userId, webhook.id, { state, reason });
  }

  async #send(job: Job, webhook: Webhook, delivery: Delivery, signal: AbortSignal): Promise<void> {
    const { web, webhookSecrets, clock } = this.#services;
    const secret = webhookSecrets.unseal(webhook.sealedSecret);
    if (secret === undefined) {
      const reason = 'its secret was sealed by another installation (a backup was restored without it); set a new one';
      await this.#changeState(webhook, 'ended', reason);
      return this.#recordAttempt(job, { state: 'dropped', status: 0, reason });
    }
    const body = JSON.stringify(payloadOf(webhook, delivery));
    const seconds = Math.floor(clock.now() / 1000);
    let status: number;
    try {
      status = await web.submit(webhook.url, {
        timeoutMs,
        signal,
        body,
        headers: { 'content-type': 'application/json', ...signHeaders(secret, { id: delivery.id, seconds, body }) },
      });
    } catch (error) {
      if (!(error instanceof FetchRefused)) throw error;
      const reason = describeFetchRefusal(error.why);
      await this.#recordAttempt(job, { state: 'waiting', status: 0, reason });
      throw isPermanent(error.why) ? new JobFailed(reason, { cause: error }) : new JobDelayed(reason, { cause: error });
    }
    if (status >= 200 && status < 300) return this.#recordAttempt(job, { state: 'delivered', status, reason: '' });
    const reason =
      status >= 300 && status < 400
        ? `the address answered with ${status}: redirects are not followed`
        : `the address answered with ${status}`;
    await this.#recordAttempt(job, { state: 'waiting', status, reason });
    if (status !== httpGone) throw new JobDelayed(reason);
    await this.#changeState(webhook, 'paused', `${reason}, which says that it wants no more`);
    throw new JobFailed(reason);
  }

  #recordAttempt(job: Job, attempt: Pick<Delivery, 'state' | 'status' | 'reason'>): Promise<void> {
    const { webhooks, clock } = this.#services;
    return webhooks.attempted(deliveryOf(job), { ...attempt, attempts: job.attempts }, clock.now());
  }
}

function deliveryOf(job: Job): string {
  return (job.payload as { delivery: string }).delivery;
}

/** Returns the body of a delivery. It contains ids but no content; the receiver reads the content with an API key. */
function payloadOf(webhook: Webhook, delivery: Delivery): Record<string, unknown> {
  return {
    type: delivery.type,
    delivery_id: delivery.id,
    webhook_id: webhook.id,
    kind: webhook.kind,
    subject_id: webhook.subjectId,
    at: delivery.createdAt,
    events: delivery.events,
    missed: delivery.missed,
  };
}

/**
 * Returns whether the URL itself causes the failure, so that a retry cannot succeed. A private address does not count:
 * it is retried like an unknown host name, so that the list of deliveries does not reveal which host names exist.
 */
function isPermanent({ reason }: FetchRefusal): boolean {
  return ['bad_url', 'scheme', 'credentials', 'port'].includes(reason);
}

function describeFetchRefusal(why: FetchRefusal): string {
  switch (why.reason) {
    // Use the same message for a private address and for an unknown host name, so that a webhook does not reveal which
    // host names exist in the server's network.
    case 'private_address':
    case 'unresolvable':
      return (
        'the host does not exist or is in a private network; ' +
        'the owner of this installation can allow private hosts with SHEAF_FETCH_ALLOW'
      );
    case 'timed_out':
      return `the address did not answer within ${timeoutMs / 1000} seconds`;
    case 'unreachable':
    case 'crowded':
      return 'the address could not be reached';
    default:
      return 'the address may not be called';
  }
}
