import type { Config } from './config.ts';
import type { Log } from './lib/log.ts';
import type { PublicAddress } from './lib/public-address.ts';
import type { AccountStore, Role } from './ports/account-store.ts';
import type { Archives } from './ports/archives.ts';
import type { BlobStore } from './ports/blob-store.ts';
import type { Clock } from './ports/clock.ts';
import type { Documents } from './ports/documents.ts';
import type { EventBus } from './ports/event-bus.ts';
import type { IdentityStore } from './ports/identity-store.ts';
import type { JobQueue } from './ports/job-queue.ts';
import type { KeptObjects } from './ports/kept-objects.ts';
import type { Links } from './ports/links.ts';
import type { MarkdownReader } from './ports/markdown-reader.ts';
import type { NoteReader } from './ports/note-reader.ts';
import type { NoteStore } from './ports/note-store.ts';
import type { OAuthStore } from './ports/oauth-store.ts';
import type { Parser } from './ports/parser.ts';
import type { Passwords } from './ports/passwords.ts';
import type { PublicLinkStore } from './ports/public-link-store.ts';
import type { SearchFeed } from './ports/search-feed.ts';
import type { SearchIndex } from './ports/search-index.ts';
import type { SearchSource } from './ports/search-source.ts';
import type { SharedNotes } from './ports/shared-notes.ts';
import type { SheetStore } from './ports/sheet-store.ts';
import type { Stamp } from './ports/stamp.ts';
import type { Sealer, UploadCredentials } from './ports/uploads.ts';
import type { Transcriber } from './ports/transcriber.ts';
import type { WebFetcher } from './ports/web-fetcher.ts';
import type { WebhookStore } from './ports/webhook-store.ts';
import type { UploadStore, WikiStore } from './ports/wiki-store.ts';

/** The authenticated caller. */
export interface Caller {
  readonly userId: string;
  readonly userName: string;
  readonly role: Role;
  readonly clientId: string;
  readonly keyId: string;
  /** Module names, or ['*']. */
  readonly modules: readonly string[];
  readonly access: 'read' | 'write';
  /** Subset of `modules` that the caller may write to; all of them if undefined. */
  readonly writable?: readonly string[];
  readonly via: 'key' | 'session' | 'app' | 'local';
  /** Expiry of the key or session; null or undefined: never. */
  readonly expiresAt?: number | null;
}

/** Services of the running product. Modules use each other through this interface and never import each other. */
export interface Services {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly accounts: AccountStore;
  /** OAuth clients and their connections. */
  readonly apps: OAuthStore;
  readonly identities: IdentityStore;
  readonly webhooks: WebhookStore;
  /** Encryption key for webhook secrets only; it cannot decrypt what another Sealer encrypted. */
  readonly webhookSecrets: Sealer;
  readonly passwords: Passwords;
  readonly blobs: BlobStore;
  readonly jobs: JobQueue;
  readonly events: EventBus;
  readonly search: SearchIndex;
  readonly searchFeed: SearchFeed;
  /** Sources that `search_all` queries. */
  readonly searchSources: readonly SearchSource[];
  readonly markdown: MarkdownReader;
  readonly notes: NoteStore;
  readonly noteReader: NoteReader;
  readonly sharedNotes: SharedNotes;
  readonly wiki: WikiStore;
  /** Uploads that the object storage endpoint still accepts, and blobs that it must no longer serve. */
  readonly uploads: Pick<UploadStore, 'upload' | 'isWithdrawn'>;
  readonly uploadCredentials: UploadCredentials;
  readonly links: Links;
  /** Counts bytes that no module's row counts yet. */
  readonly kept: KeptObjects;
  /** Archives that signed links refer to. */
  readonly archives: Archives;
  readonly sealer: Sealer;
  readonly web: WebFetcher;
  readonly parser: Parser;
  /** Undefined if none is configured. */
  readonly transcriber: Transcriber | undefined;
  readonly sheets: SheetStore;
  /** Links that show a document to anyone who has them. */
  readonly publicLinks: PublicLinkStore;
  readonly documents: Documents;
  /** Public URL of this installation. */
  readonly address: PublicAddress;
}

/** Context of one call: the services, the caller, and metadata of the reply. */
export interface Context extends Services {
  readonly caller: Caller;
  /** Passed to every store method that writes. */
  readonly stamp: Stamp;
  readonly requestId: string;
  /** Aborts when the client disconnects or the server stops. */
  readonly signal: AbortSignal;
  readonly reply: Reply;
  /** Whether the caller listens to progress. */
  readonly wantsProgress: boolean;
  /** Reports the progress of a long call, if the caller listens. */
  progress(progress: Progress): void;
}

/** Completed steps of a call. */
export interface Progress {
  readonly done: number;
  readonly total?: number;
  readonly message?: string;
}

export interface Reply {
  /** New version of the written object; sent as the `x-sheaf-version` header and MCP `_meta.version`. */
  version?: number;
  /** Remark that the answer's fields cannot express, in ASCII; sent as `x-sheaf-notice` and MCP `_meta.notice`. */
  notice?: string;
  /** URL of a resource that holds a long body of the answer. */
  link?: BodyLink;
  /** The answer to store with the write for repeated calls; undefined for calls without an Idempotency-Key. */
  readonly stored?: { text?: string; readonly isSecret: boolean };
}

export interface BodyLink {
  readonly uri: string;
  readonly name: string;
  readonly mimeType: string;
  /** Answer field that the resource can replace; undefined if the answer is only a part of the resource. */
  readonly field?: string;
}
