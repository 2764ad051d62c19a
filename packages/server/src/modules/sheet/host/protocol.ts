import type { TaskFailure } from '../../../lib/task-failure.ts';
import type { RevisionEffect } from '../calls/revision-effect.ts';
import type { SourceText } from '../../../ports/search-source.ts';
import type {
  DocumentValidation,
  FileFormat,
  ReadableFormat,
  ViewOptions,
} from '../../../ports/spreadsheet-service.ts';
import type { LargeCallLockData } from './large-call-lock.ts';

/**
 * This file defines the messages between the main thread and a document's worker thread. Each request gets one answer,
 * in order per document.
 */

/**
 * Kind of thread that holds a document. `quick` is the default. `reserve` serves fast documents whose thread is busy.
 * `slow` serves documents that calculate all the time.
 */
export type Lane = 'quick' | 'reserve' | 'slow';

/** Start data of a thread that holds documents. Threads that only import and export files get no start data. */
export interface ThreadData {
  readonly lane: Lane;
  readonly largeCallLock: LargeCallLockData;
  /** One 32-bit integer: the number of calculation steps that the current call has taken. */
  readonly gauge: SharedArrayBuffer;
}

export interface ToolRequest {
  readonly tool: string;
  readonly input: unknown;
  readonly userId: string;
  readonly isOwner: boolean;
  readonly at: number;
  readonly seed: number;
  /**
   * True if the user edits in the web page: data validation then always applies. For programs it applies only on
   * request.
   */
  readonly isAtPage: boolean;
}

export interface WriteOptions {
  /** True to report the changed cells. */
  readonly changes: boolean;
  /** True for a dry run, which reports the effect of the write without writing. */
  readonly dryRun: boolean;
  /** Conditions that must hold after the write; otherwise it is rolled back. */
  readonly assert: readonly string[];
  /** Sub-sheet for addresses in the `assert` conditions that name no sub-sheet. */
  readonly sheet: string | undefined;
  /** True to refuse values that data validation does not allow. */
  readonly validation: boolean;
}

/**
 * Data of an answer as JSON. Short data is a string, because transferring many small buffers between threads is slow.
 */
export type AnswerJson = string | Uint8Array;

export type ToolAnswer =
  | { readonly kind: 'read'; readonly json: AnswerJson }
  | {
      readonly kind: 'write';
      readonly json: AnswerJson;
      readonly mutations: string;
      readonly inverse: string;
      readonly range: string | undefined;
      /** Effect on clients that display the document; undefined if only cells changed. */
      readonly effect: RevisionEffect | undefined;
      /** Remark for the caller, for information that has no field in the answer. */
      readonly notice: string | undefined;
    }
  /** Answer of a write that changes nothing and creates no revision, such as a dry run. */
  | { readonly kind: 'nothing'; readonly json: AnswerJson }
  | { readonly kind: 'failure'; readonly word: string; readonly message: string }
  /** A fault of the server. It is written to the log but not shown to the caller. */
  | { readonly kind: 'fault'; readonly fault: TaskFailure }
  /**
   * The call was prepared from an outdated version of the document and had no effect. `version` is the latest version.
   */
  | { readonly kind: 'stale'; readonly version: number };

/** A revision from the log, to be replayed in the worker thread. */
export interface LoggedRevision {
  readonly version: number;
  readonly at: number;
  readonly seed: number;
  readonly mutations: string;
}

/** Snapshot of the document that a thread holds in memory. It is compared with the document rebuilt from the log. */
export interface ServedDocument {
  readonly version: number;
  readonly bytes: Uint8Array;
}

/**
 * Parameters of each kind of request. Each request also has a document id. The requests `import`, `view` and `draw`
 * open no document; for them the id only identifies the request.
 */
interface WorkerRequests {
  open: LoggedState;
  apply: { readonly revisions: readonly LoggedRevision[] };
  /**
   * Runs calls in order. Revisions up to version `committed` are in the database and are never rolled back, so the
   * thread discards their inverse mutations.
   */
  run: { readonly committed: number; readonly calls: readonly ToolRequest[] };
  rollback: { readonly version: number };
  snapshot: unknown;
  validate: LoggedState & { readonly target: number; readonly served: ServedDocument | undefined };
  text: { readonly limit: number };
  /** Lists the keys under which the document's images are stored as blobs. */
  images: unknown;
  export: {
    readonly format: FileFormat;
    /** Sub-sheet to export as CSV; the first one if undefined. */
    readonly sheet: string | undefined;
    /** True to escape CSV texts that a spreadsheet program could run as formulas. */
    readonly safe: boolean;
    readonly at: number;
    readonly images: ReadonlyMap<string, Uint8Array>;
  };
  import: FileToRead & {
    /** True to parse CSV fields as if a user typed them into cells. */
    readonly typed: boolean;
  };
  view: FileToRead & { readonly wishes: ViewOptions };
  /**
   * Draws a chart that is given as JSON. Always runs asynchronously, because the drawing libraries are loaded at first
   * use.
   */
  draw: { readonly drawing: Uint8Array };
  close: unknown;
}

/**
 * A document in the form in which it is stored: the snapshot of version `version`, and the revisions after it. Without
 * a snapshot, the document is empty before the first revision.
 */
interface LoggedState {
  readonly snapshot: Uint8Array | undefined;
  readonly version: number;
  readonly revisions: readonly LoggedRevision[];
}

interface FileToRead {
  readonly format: ReadableFormat;
  readonly bytes: Uint8Array;
  readonly owner: string;
  readonly at: number;
}

type RequestNamed<Kind extends keyof WorkerRequests> = {
  readonly do: Kind;
  readonly file: string;
} & WorkerRequests[Kind];
export type WorkerRequest = { [Kind in keyof WorkerRequests]: RequestNamed<Kind> }[keyof WorkerRequests];
export type ExportRequest = RequestNamed<'export'>;
export type ImportRequest = RequestNamed<'import'>;
export type ViewRequest = RequestNamed<'view'>;
export type DrawRequest = RequestNamed<'draw'>;

export interface ImportResult {
  readonly snapshot: Uint8Array;
  readonly images: readonly {
    readonly id: string;
    readonly key: string;
    readonly mime: string;
    readonly bytes: Uint8Array;
  }[];
  readonly warnings: readonly string[];
  readonly sheets: readonly { readonly id: string; readonly name: string }[];
}

/** Answer to each kind of request. `ms` is the duration of the work in milliseconds. */
export interface WorkerAnswers {
  /** `version` is the last replayed revision. `replayMs` is the duration of the replay. */
  open: { version: number; cells: number; ms: number; replayMs: number };
  apply: { version: number; cells: number; ms: number; replayMs: number };
  /**
   * `answers` has one entry per call that ran. `isLost`: the thread dropped the document, because its state may be
   * damaged. `isTooMuch`: the next call exceeds the budget of this thread and had no effect. `steps`: calculation steps
   * of the last call, counted in large units; 0 if it took few.
   */
  run: { answers: ToolAnswer[]; cells: number; ms: number; isLost: boolean; isTooMuch: boolean; steps: number };
  rollback: { version: number };
  snapshot: { version: number; bytes: Uint8Array };
  validate: DocumentValidation;
  text: SourceText;
  images: { keys: string[] };
  export: { bytes: Uint8Array };
  import: ImportResult;
  /** Preview of a stored spreadsheet file, as JSON bytes. */
  view: { bytes: Uint8Array };
  /** The answer of the operation that draws the chart, as JSON bytes. It contains the image. */
  draw: { bytes: Uint8Array };
  close: Record<string, never>;
}

export type WorkerAnswer<Kind extends WorkerRequest['do']> = WorkerAnswers[Kind];
