import type { Services } from '../../context.ts';
import { JobDelayed, JobFailed, type Job, type JobHandler } from '../../ports/job-queue.ts';
import { systemStamp } from '../../ports/stamp.ts';
import { FetchRefused, type FetchRefusal } from '../../ports/web-fetcher.ts';
import { webhookJob, type Delivery, type Webhook } from '../../ports/webhook-store.ts';
import { whyEnded } from './access.ts';
import { signedHeaders } from './signature.ts';

const timeoutMs = 15_000;
const gone = 410;

/** Sends one delivery. A retry has the same id, so that the receiver can detect it. */
export class DeliverWebhook implements JobHandler {
  readonly kind = webhookJob;
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  async run(job: Job, signal: AbortSignal): Promise<void> {
    const { webhooks } = this.#services;
    const delivery = await webhooks.delivery(deliveryOf(job));
    const webhook = delivery && (await webhooks.webhook(delivery.webhookId));
    // The delivery was deleted, or an earlier attempt finished without recording it.
    if (!webhook || delivery.state !== 'waiting') return;
    const why = await this.#whyNot(webhook, delivery);
    if (why !== undefined) return this.#note(job, { state: 'dropped', status: 0, reason: why });
    await this.#send(job, webhook, delivery, signal);
  }

  async giveUp(job: Job, reason: string): Promise<void> {
    const { webhooks } = this.#services;
    const delivery = await webhooks.delivery(deliveryOf(job));
    if (delivery) await this.#note(job, { state: 'failed', status: delivery.status, reason });
  }

  /** Why nothing is sent. Ends the webhook if its owner has lost access. */
  async #whyNot(webhook: Webhook, { type }: Delivery): Promise<string | undefined> {
    if (webhook.state === 'ended') return webhook.reason;
    if (webhook.state === 'paused' && type !== 'test') return 'the webhook was paused';
    const ended = await whyEnded(this.#services, webhook);
    if (ended !== undefined) await this.#set(webhook, 'ended', ended);
    return ended;
  }

  async #set(webhook: Webhook, state: Webhook['state'], reason: string): Promise<void> {
    const { webhooks, clock } = this.#services;
    const stamp = systemStamp(clock.now(), `job:${webhookJob}`, webhook.userId);
    await webhooks.change(stamp, webhook.userId, webhook.id, { state, reason });
  }

  async #send(job: Job, webhook: Webhook, delivery: Delivery, signal: AbortSignal): Promise<void> {
    const { web, webhookSecrets, clock } = this.#services;
    const secret = webhookSecrets.unseal(webhook.sealedSecret);
    if (secret === undefined) {
      const reason = 'its secret was sealed by another installation (a backup was restored without it); set a new one';
      await this.#set(webhook, 'ended', reason);
      return this.#note(job, { state: 'dropped', status: 0, reason });
    }
    const body = JSON.stringify(contentOf(webhook, delivery));
    const seconds = Math.floor(clock.now() / 1000);
    let status: number;
    try {
      status = await web.submit(webhook.url, {
        timeoutMs,
        signal,
        body,
        headers: { 'content-type': 'application/json', ...signedHeaders(secret, { id: delivery.id, seconds, body }) },
      });
    } catch (error) {
      if (!(error instanceof FetchRefused)) throw error;
      const reason = whyNotSent(error.why);
      await this.#note(job, { state: 'waiting', status: 0, reason });
      throw isForGood(error.why) ? new JobFailed(reason, { cause: error }) : new JobDelayed(reason, { cause: error });
    }
    if (status >= 200 && status < 300) return this.#note(job, { state: 'delivered', status, reason: '' });
    const reason =
      status >= 300 && status < 400
        ? `the address answered with ${status}: redirects are not followed`
        : `the address answered with ${status}`;
    await this.#note(job, { state: 'waiting', status, reason });
    if (status !== gone) throw new JobDelayed(reason);
    await this.#set(webhook, 'paused', `${reason}, which says that it wants no more`);
    throw new JobFailed(reason);
  }

  #note(job: Job, attempt: Pick<Delivery, 'state' | 'status' | 'reason'>): Promise<void> {
    const { webhooks, clock } = this.#services;
    return webhooks.attempted(deliveryOf(job), { ...attempt, attempts: job.attempts }, clock.now());
  }
}

function deliveryOf(job: Job): string {
  return (job.payload as { delivery: string }).delivery;
}

/** Contains ids only, not content; a receiver with access reads that with a key. */
function contentOf(webhook: Webhook, delivery: Delivery): Record<string, unknown> {
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

/** True if the URL itself is invalid, so that retrying is pointless. */
function isForGood({ reason }: FetchRefusal): boolean {
  return ['bad_url', 'scheme', 'credentials', 'port', 'private_address'].includes(reason);
}

function whyNotSent(why: FetchRefusal): string {
  switch (why.reason) {
    case 'private_address':
      return (
        `${why.host} is a private network address; ` +
        'the owner of this installation can allow it with SHEAF_FETCH_ALLOW'
      );
    case 'unresolvable':
      return `there is no host ${why.host}`;
    case 'timed_out':
      return `the address did not answer within ${timeoutMs / 1000} seconds`;
    case 'unreachable':
    case 'crowded':
      return 'the address could not be reached';
    default:
      return 'the address may not be called';
  }
}
