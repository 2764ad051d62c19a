import { Refused } from './refused.ts';
import type { Stamp } from './stamp.ts';

export type WebhookKind = 'knowledge_base' | 'notebook' | 'document';

/** paused: by its owner, or because nobody answered for long. ended: its owner, or the key it was made with, may no longer look. */
export type WebhookState = 'active' | 'paused' | 'ended';

/** An address that hears of the changes of one thing. */
export interface Webhook {
  id: string;
  userId: string;
  /** The API key it was made with, whose end is its own; '' when it was made in the page or on the command line. */
  keyId: string;
  kind: WebhookKind;
  subjectId: string;
  url: string;
  sealedSecret: string;
  state: WebhookState;
  /** Why it is not active, for a person; '' when its owner paused it. */
  reason: string;
  createdAt: number;
}

/** What happened, without what it was about. */
export interface WebhookEvent {
  /** Of the last, in Unix milliseconds. */
  at: number;
  user_id: string;
  operation: string;
  target: string;
  /** How often, one after the other. */
  count: number;
}

/** dropped: the webhook was paused or ended by then, and nothing was sent. */
export type DeliveryState = 'waiting' | 'delivered' | 'failed' | 'dropped';

export interface Delivery {
  id: string;
  webhookId: string;
  type: 'changes' | 'test';
  state: DeliveryState;
  events: WebhookEvent[];
  /** More happened than is listed. */
  missed: boolean;
  attempts: number;
  /** The last answer's; 0 where there was none. */
  status: number;
  reason: string;
  createdAt: number;
  updatedAt: number;
}

export type WebhookRefusal = { reason: 'too_many'; count: number; limit: number };

/** Nothing was written. */
export class WebhookRefused extends Refused<WebhookRefusal> {}

export interface WebhookLimits {
  /** For users without a quota of their own. */
  quotaBytes: number;
}

/** The kind of the jobs that deliver; their subject is the webhook, their payload `{delivery}`. */
export const webhookJob = 'webhook';

/** What a webhook counts against its owner's quota: room for itself and for the deliveries that are kept of it. */
export const webhookBytes = 256 * 1024;

/** A user's webhooks. */
export const maxWebhooks = 50;

/**
 * Webhooks and their deliveries. Guarantees: every recorded write to a thing leads to a delivery of each webhook that was
 * active by then, whichever node wrote and whichever died, unless more wait than are kept, which the next delivery says; a
 * delivery and its job are one write; what is kept of a webhook is bounded.
 */
export interface WebhookStore {
  /** Throws StorageFull, or WebhookRefused. */
  create(stamp: Stamp, webhook: Webhook, limits: WebhookLimits): Promise<void>;
  webhook(id: string): Promise<Webhook | undefined>;
  /** Oldest first. */
  list(userId: string): Promise<Webhook[]>;
  /** One that becomes active hears of what happens from now on. */
  change(
    stamp: Stamp,
    userId: string,
    id: string,
    change: Partial<Pick<Webhook, 'url' | 'sealedSecret' | 'state' | 'reason' | 'keyId'>>,
  ): Promise<boolean>;
  /** With its deliveries. */
  remove(stamp: Stamp, userId: string, id: string): Promise<boolean>;
  /** A delivery of nothing, to see whether it arrives. */
  addTest(stamp: Stamp, webhook: Webhook): Promise<string>;

  /** Those that wait and the last that are over, newest first. */
  deliveries(webhookId: string): Promise<Delivery[]>;
  delivery(id: string): Promise<Delivery | undefined>;
  /** How an attempt went. A delivery that failed for good counts against its webhook, one that arrived clears that. */
  attempted(id: string, attempt: Pick<Delivery, 'state' | 'attempts' | 'status' | 'reason'>, at: number): Promise<void>;

  /** Makes deliveries of what was written since the last time; how many. Any node may, at any time. */
  collect(): Promise<number>;
}
