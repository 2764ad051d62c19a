import { RefusalError } from './refusal-error.ts';
import type { Stamp } from './audit-stamp.ts';

/**
 * Kind of the object that a webhook watches. `inbox` is the inbox of the webhook's owner; its deliveries contain no
 * inbox content.
 */
export type WebhookKind = 'knowledge_base' | 'notebook' | 'document' | 'inbox';

/**
 * State of a webhook. `paused`: the owner paused it, or too many deliveries failed. `ended`: its owner or its API key
 * lost access to the watched object.
 */
export type WebhookState = 'active' | 'paused' | 'ended';

/** A URL that is notified of changes to one knowledge base, notebook or document, or to its owner's inbox. */
export interface Webhook {
  id: string;
  userId: string;
  /**
   * API key with which the webhook was created or last activated; the webhook ends when the key is revoked or expires.
   * '' if that was done without an API key, for example in the browser.
   */
  keyId: string;
  kind: WebhookKind;
  subjectId: string;
  url: string;
  sealedSecret: string;
  state: WebhookState;
  /** Reason why the webhook is not active, shown to the user; '' if its owner paused it. */
  reason: string;
  createdAt: number;
}

/** A change of the object that a webhook watches, without any content. */
export interface WebhookEvent {
  /** Time of the last of the changes that the event combines, in Unix milliseconds. */
  at: number;
  user_id: string;
  operation: string;
  target: string;
  /** Number of changes by the same user, with the same operation and target, that were combined into this event. */
  count: number;
}

/**
 * State of a delivery. `waiting`: not delivered yet. `delivered`: accepted by the receiver. `failed`: all attempts
 * failed. `dropped`: the webhook was paused or ended first.
 */
export type DeliveryState = 'waiting' | 'delivered' | 'failed' | 'dropped';

export interface Delivery {
  id: string;
  webhookId: string;
  type: 'changes' | 'test';
  state: DeliveryState;
  events: WebhookEvent[];
  /** Whether events are missing in the delivery, because there were too many events or too many unsent deliveries. */
  missed: boolean;
  attempts: number;
  /** HTTP status of the receiver's last response; 0 if there was none. */
  status: number;
  reason: string;
  createdAt: number;
  updatedAt: number;
}

export type WebhookRefusal = { reason: 'too_many'; count: number; limit: number };

/** Thrown when a user already has the maximum number of webhooks; nothing was written. */
export class WebhookRefused extends RefusalError<WebhookRefusal> {}

export interface WebhookLimits {
  /** Quota in bytes for users without a quota of their own. */
  quotaBytes: number;
}

/** Kind of the jobs that send deliveries. A job's `subject` is the webhook's id, and its `payload` is `{delivery}`. */
export const webhookJob = 'webhook';

/** Bytes charged to the owner's quota for each webhook and its stored deliveries. */
export const webhookBytes = 256 * 1024;

export const maxWebhooks = 50;

/**
 * Stores webhooks and their deliveries. Writes to a watched object that are in the audit log lead to a delivery for
 * each active webhook, even if a node crashes; a few operations, such as exports, are not reported. If too many
 * deliveries are waiting, events are dropped and the next delivery reports that. A delivery and the job that sends it
 * are stored in one transaction.
 */
export interface WebhookStore {
  /** Stores a new webhook. Throws QuotaExceeded or WebhookRefused. */
  create(stamp: Stamp, webhook: Webhook, limits: WebhookLimits): Promise<void>;
  webhook(id: string): Promise<Webhook | undefined>;
  /** Lists a user's webhooks, oldest first. */
  list(userId: string): Promise<Webhook[]>;
  /** Changes a webhook of the user. After a webhook becomes active, it is notified only of later changes. */
  change(
    stamp: Stamp,
    userId: string,
    id: string,
    change: Partial<Pick<Webhook, 'url' | 'sealedSecret' | 'state' | 'reason' | 'keyId'>>,
  ): Promise<boolean>;
  /** Removes a webhook and its deliveries. Returns whether the webhook existed. */
  remove(stamp: Stamp, userId: string, id: string): Promise<boolean>;
  /** Queues a delivery without events, to test the URL. Returns the delivery's id. */
  addTest(stamp: Stamp, webhook: Webhook): Promise<string>;

  /** Lists queued deliveries and the most recent finished ones, newest first. */
  deliveries(webhookId: string): Promise<Delivery[]>;
  delivery(id: string): Promise<Delivery | undefined>;
  /**
   * Records an attempt of a delivery. If all attempts have failed (`failed`), increments the webhook's failure counter,
   * and pauses the webhook after several failed deliveries in a row. A success resets the counter.
   */
  attempted(id: string, attempt: Pick<Delivery, 'state' | 'attempts' | 'status' | 'reason'>, at: number): Promise<void>;

  /**
   * Creates deliveries for writes of any node since the last call. One call handles a limited number of writes, so it
   * must be called regularly. Returns the number of new deliveries.
   */
  collect(): Promise<number>;
}
