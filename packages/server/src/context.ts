import type { Config } from './config.ts';
import type { Logger } from './lib/logger.ts';
import type { PublicUrl } from './lib/public-url.ts';
import type { AccountStore, Role } from './ports/account-store.ts';
import type { ZipArchiveGenerator } from './ports/zip-archive-generator.ts';
import type { BlobStore } from './ports/blob-store.ts';
import type { ChangeLog } from './ports/change-log.ts';
import type { Clock } from './ports/clock.ts';
import type { SpreadsheetService } from './ports/spreadsheet-service.ts';
import type { EventBus } from './ports/event-bus.ts';
import type { CommentStore } from './ports/comment-store.ts';
import type { IdentityStore } from './ports/identity-store.ts';
import type { InboxReader } from './ports/inbox.ts';
import type { InboxStore } from './ports/inbox-store.ts';
import type { JobQueue } from './ports/job-queue.ts';
import type { BlobAccounting } from './ports/blob-accounting.ts';
import type { UrlSigner } from './ports/url-signer.ts';
import type { MarkdownParser } from './ports/markdown-parser.ts';
import type { MemoryStore } from './ports/memory-store.ts';
import type { NoteGraphReader } from './ports/note-graph.ts';
import type { NoteReader } from './ports/note-reader.ts';
import type { NoteRooms } from './ports/note-rooms.ts';
import type { NoteStore } from './ports/note-store.ts';
import type { NoteText } from './ports/note-text.ts';
import type { OAuthStore } from './ports/oauth-store.ts';
import type { FileParser } from './ports/file-parser.ts';
import type { PasswordHasher } from './ports/password-hasher.ts';
import type { RateLimit } from './kernel/rate-limit.ts';
import type { ProfileStore } from './ports/profile-store.ts';
import type { GroupStore, PermissionStore } from './ports/permission-store.ts';
import type { LinkSecretDeriver, PublicLinkStore } from './ports/public-link-store.ts';
import type { SearchFeed } from './ports/search-feed.ts';
import type { SearchIndex } from './ports/search-index.ts';
import type { SearchSource } from './ports/search-source.ts';
import type { SharedBaseNoteAccess } from './ports/shared-base-note-access.ts';
import type { SheetStore } from './ports/sheet-store.ts';
import type { Stamp } from './ports/audit-stamp.ts';
import type { Sealer, UploadCredentialIssuer } from './ports/upload-credentials.ts';
import type { SuggestionStore } from './ports/suggestion-store.ts';
import type { TagStore } from './ports/tag-store.ts';
import type { TitleLookup } from './ports/title-lookup.ts';
import type { Transcriber } from './ports/transcriber.ts';
import type { WebFetcher } from './ports/web-fetcher.ts';
import type { WebhookStore } from './ports/webhook-store.ts';
import type { UploadStore, WikiStore } from './ports/wiki-store.ts';

export interface Caller {
  readonly userId: string;
  readonly userName: string;
  readonly role: Role;
  readonly clientId: string;
  readonly keyId: string;
  /** Names of the modules that the caller may use, or ['*'] for all of them. */
  readonly modules: readonly string[];
  readonly access: 'read' | 'write';
  /** Subset of `modules` that the caller may write to; all of them if undefined. */
  readonly writable?: readonly string[];
  readonly via: 'key' | 'session' | 'app' | 'local';
  /** Expiry of the API key, session or access token in Unix milliseconds; null or undefined if it never expires. */
  readonly expiresAt?: number | null;
}

/** Services of the running server. Modules use each other through this interface and never import each other. */
export interface Services {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Logger;
  readonly accounts: AccountStore;
  readonly profiles: ProfileStore;
  readonly apps: OAuthStore;
  readonly identities: IdentityStore;
  readonly memories: MemoryStore;
  readonly webhooks: WebhookStore;
  /**
   * Encrypts and decrypts the secrets of webhooks. Its key is used for nothing else, so that no other `Sealer` can
   * decrypt them.
   */
  readonly webhookSecrets: Sealer;
  readonly passwords: PasswordHasher;
  /**
   * Rate limit per user for wrong entries of the old password, which a signed-in user must give to change the password.
   */
  readonly oldPasswords: RateLimit;
  readonly blobs: BlobStore;
  readonly jobs: JobQueue;
  readonly events: EventBus;
  readonly search: Pick<SearchIndex, 'search'>;
  readonly searchFeed: SearchFeed;
  /** Name of the embedding model for search by meaning; undefined if there is no model. */
  readonly embeddingModel: string | undefined;
  /** Sources that the operation `search_all` (search over all modules) queries, such as notes or spreadsheets. */
  readonly searchSources: readonly SearchSource[];
  readonly markdown: MarkdownParser;
  readonly notes: NoteStore;
  readonly noteReader: NoteReader;
  readonly noteText: NoteText;
  readonly noteGraph: NoteGraphReader;
  /**
   * Rooms of open notes. A room is the shared document in which several people and agents edit a note at the same time.
   */
  readonly noteRooms: NoteRooms;
  readonly suggestions: SuggestionStore;
  readonly tags: TagStore;
  /** Finds objects by title, for callers that send a title in place of an id. */
  readonly titles: TitleLookup;
  readonly sharedNotes: SharedBaseNoteAccess;
  readonly wiki: WikiStore;
  /**
   * Finds an upload by its id, and tells whether a blob (stored file) is withdrawn: all items that had it are deleted,
   * so it must not be served even if it still exists.
   */
  readonly uploads: Pick<UploadStore, 'upload' | 'isWithdrawn'>;
  readonly uploadCredentials: UploadCredentialIssuer;
  readonly signedUrls: UrlSigner;
  /** Charges a user's quota for blobs to which no item or document refers yet, such as unused uploads. */
  readonly blobAccounting: BlobAccounting;
  readonly archives: ZipArchiveGenerator;
  readonly sealer: Sealer;
  readonly web: WebFetcher;
  readonly parser: FileParser;
  /** Service that transcribes recordings; undefined if no transcription endpoint is configured. */
  readonly transcriber: Transcriber | undefined;
  readonly sheets: SheetStore;
  /** Public links, which show an object to anyone who has the link. */
  readonly publicLinks: PublicLinkStore;
  readonly publicLinkSecrets: LinkSecretDeriver;
  /** Determines who may do what with notes, notebooks, knowledge bases and spreadsheets. */
  readonly permissions: PermissionStore;
  readonly groups: GroupStore;
  /** Reads the audit log as a list of changes, and describes the changed objects that a user may see. */
  readonly changeLog: ChangeLog;
  /** Comments on notes. Comments on cells are stored in the workbooks. */
  readonly comments: CommentStore;
  readonly inbox: InboxReader;
  readonly inboxStore: InboxStore;
  readonly documents: SpreadsheetService;
  readonly publicUrl: PublicUrl;
}

/** Context of one call: the services, the caller, and metadata of the reply. */
export interface Context extends Services {
  readonly caller: Caller;
  /**
   * Time, user, API key and operation of the call, for the audit log. It is passed to every store method that writes.
   */
  readonly stamp: Stamp;
  readonly requestId: string;
  /** Signal that aborts when the client disconnects or the server stops. */
  readonly signal: AbortSignal;
  readonly reply: Reply;
  readonly wantsProgress: boolean;
  /** Reports the progress of a long call. Does nothing if the caller does not receive progress reports. */
  progress(progress: Progress): void;
}

export interface Progress {
  readonly done: number;
  readonly total?: number;
  readonly message?: string;
}

export interface Reply {
  /** New version of the written object, sent as the `x-sheaf-version` header and MCP `_meta.version`. */
  version?: number;
  /** Remark that the answer's fields cannot express, sent as `x-sheaf-notice` and MCP `_meta.notice`. */
  notice?: string;
  /**
   * Link to the full content, for an answer that is long or contains only a part. MCP answers show it as a resource
   * link.
   */
  link?: BodyLink;
  /** Picture that belongs to the answer. Over MCP it is sent as an image, so that models can see it. */
  picture?: Picture;
  /**
   * Place for the answer of a write, which is stored in the database and returned if the call is repeated with the same
   * Idempotency-Key. `text` is set once the answer is stored. Undefined if no answer needs to be stored, such as for
   * reads.
   */
  readonly stored?: { text?: string; readonly isSecret: boolean };
}

export interface Picture {
  readonly mimeType: string;
  /**
   * Name of the answer field that contains the picture as base64. Over MCP, the field is emptied and the picture is
   * sent as an image.
   */
  readonly field?: string;
  /** Reads the picture if no answer field contains it. Returns undefined if there is no picture. */
  load?(): Promise<Uint8Array | undefined>;
}

export interface BodyLink {
  readonly uri: string;
  readonly name: string;
  readonly mimeType: string;
  /**
   * Name of the answer field that holds the same content as the linked resource. Undefined if the answer holds only a
   * part of it.
   */
  readonly field?: string;
}
