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

/** Who calls, as established by a key or a session. */
export interface Caller {
  readonly userId: string;
  readonly userName: string;
  readonly role: Role;
  readonly clientId: string;
  readonly keyId: string;
  /** Module names, or ['*']. */
  readonly modules: readonly string[];
  readonly access: 'read' | 'write';
  /** Of those modules, the ones it may write to; all where it is not given. */
  readonly writable?: readonly string[];
  readonly via: 'key' | 'session' | 'app' | 'local';
  /** When the key or session runs out; null or undefined: never. */
  readonly expiresAt?: number | null;
}

/** What every part of the running product can reach. Modules meet here, never by importing each other. */
export interface Services {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly accounts: AccountStore;
  /** Apps that people connected. */
  readonly apps: OAuthStore;
  readonly identities: IdentityStore;
  readonly webhooks: WebhookStore;
  /** Of webhooks alone: what another purpose sealed does not open here. */
  readonly webhookSecrets: Sealer;
  readonly passwords: Passwords;
  readonly blobs: BlobStore;
  readonly jobs: JobQueue;
  readonly events: EventBus;
  readonly search: SearchIndex;
  readonly searchFeed: SearchFeed;
  /** What `search_all` looks through. */
  readonly searchSources: readonly SearchSource[];
  readonly markdown: MarkdownReader;
  readonly notes: NoteStore;
  readonly noteReader: NoteReader;
  readonly sharedNotes: SharedNotes;
  readonly wiki: WikiStore;
  /** What may still be uploaded to the object storage endpoint, and what was withdrawn from it. */
  readonly uploads: Pick<UploadStore, 'upload' | 'isWithdrawn'>;
  /** Temporary credentials for the object storage endpoint. */
  readonly uploadCredentials: UploadCredentials;
  readonly links: Links;
  /** Bytes that count before any module's row does. */
  readonly kept: KeptObjects;
  /** What links to archives lead to. */
  readonly archives: Archives;
  readonly sealer: Sealer;
  readonly web: WebFetcher;
  readonly parser: Parser;
  /** Undefined where none is configured. */
  readonly transcriber: Transcriber | undefined;
  readonly sheets: SheetStore;
  /** Links that show a document to whoever has them. */
  readonly publicLinks: PublicLinkStore;
  readonly documents: Documents;
  /** Where people and clients reach this installation. */
  readonly address: PublicAddress;
}

/** One call's view: the services, who calls, and what travels beside the answer. */
export interface Context extends Services {
  readonly caller: Caller;
  /** Passed to every store method that writes. */
  readonly stamp: Stamp;
  readonly requestId: string;
  /** Ends when the client is gone or the server stops. */
  readonly signal: AbortSignal;
  readonly reply: Reply;
  /** Whether anybody hears how far the call is. */
  readonly wantsProgress: boolean;
  /** Tells a caller who wants to hear how far a long call is. */
  progress(progress: Progress): void;
}

/** Steps of a call that are done. */
export interface Progress {
  readonly done: number;
  readonly total?: number;
  readonly message?: string;
}

export interface Reply {
  /** The new version of what was written: the `x-sheaf-version` header and MCP `_meta.version`. */
  version?: number;
  /** What the caller should know of an answer whose fields cannot say it, in ASCII: `x-sheaf-notice` and MCP `_meta.notice`. */
  notice?: string;
  /** Where a body of the answer that may be long can be read by its address. */
  link?: BodyLink;
  /** What a write stores as the answer for repeats of the call; undefined where none can come. */
  readonly stored?: { text?: string; readonly isSecret: boolean };
}

export interface BodyLink {
  readonly uri: string;
  readonly name: string;
  readonly mimeType: string;
  /** The field of the answer that the resource can stand for; undefined: the answer is only a part of the resource. */
  readonly field?: string;
}
