import type { TaskFailure } from '../../../lib/task-failure.ts';
import type { RevisionEffect } from '../calls/revision-effect.ts';
import type { DocumentValidation, FileFormat, ViewOptions } from '../../../ports/spreadsheet-service.ts';
import type { LargeCallLockData } from './large-call-lock.ts';

/** Messages between the main thread and a document's worker: one request, one answer, in order per document. */

/**
 * The kind of thread that holds a document: `quick` is the default, `reserve` is the reserve for documents known to be
 * quick, `slow` is for those that calculate all the time.
 */
export type Lane = 'quick' | 'reserve' | 'slow';

/** Start data of a thread that holds documents; threads that read or write files have none. */
export interface ThreadData {
  readonly lane: Lane;
  readonly largeCallLock: LargeCallLockData;
  /** A single number: the steps of the current call. */
  readonly gauge: SharedArrayBuffer;
}

export interface ToolRequest {
  readonly tool: string;
  readonly input: unknown;
  readonly userId: string;
  readonly isOwner: boolean;
  readonly at: number;
  readonly seed: number;
  /** The user edits in the web page, so data validation applies; for programs it only applies on request. */
  readonly isAtPage: boolean;
}

/** Options that every write accepts. */
export interface WriteOptions {
  /** Report the changed cells. */
  readonly changes: boolean;
  /** Report what the write would do, without doing it. */
  readonly dryRun: boolean;
  /** Conditions that must hold afterwards; otherwise the write is rolled back. */
  readonly assert: readonly string[];
  /** Default sub-sheet for addresses in `assert`. */
  readonly sheet: string | undefined;
  /** Refuse values that data validation does not allow. */
  readonly validation: boolean;
}

/** An answer's data as JSON; text if short, because transferring many small buffers costs more. */
export type AnswerJson = string | Uint8Array;

export type ToolAnswer =
  | { readonly kind: 'read'; readonly json: AnswerJson }
  | {
      readonly kind: 'write';
      readonly json: AnswerJson;
      readonly mutations: string;
      readonly inverse: string;
      readonly range: string | undefined;
      /** Undefined: only cells changed. */
      readonly effect: RevisionEffect | undefined;
    }
  /** A write without any change; it makes no revision. */
  | { readonly kind: 'nothing'; readonly json: AnswerJson }
  | { readonly kind: 'failure'; readonly word: string; readonly message: string }
  /** A server fault, for the log and not for the caller. */
  | { readonly kind: 'fault'; readonly fault: TaskFailure }
  /** Planned on an outdated version; `version` is the latest. */
  | { readonly kind: 'stale'; readonly version: number };

/** A revision for replay in the worker. */
export interface LoggedRevision {
  readonly version: number;
  readonly at: number;
  readonly seed: number;
  readonly mutations: string;
}

/** The document as its thread holds it. */
export interface ServedDocument {
  readonly version: number;
  readonly bytes: Uint8Array;
}

/** Requests by name; each also names its document. `import`, `view` and `draw` open none, and the name only identifies them. */
interface WorkerRequests {
  open: LoggedState;
  apply: { readonly revisions: readonly LoggedRevision[] };
  /** `committed`: inverses up to this version can be discarded. */
  run: { readonly committed: number; readonly calls: readonly ToolRequest[] };
  rollback: { readonly version: number };
  snapshot: unknown;
  validate: LoggedState & { readonly target: number; readonly served: ServedDocument | undefined };
  text: { readonly limit: number };
  /** Blob keys of the document's images. */
  images: unknown;
  export: {
    readonly format: FileFormat;
    /** The sub-sheet to export as CSV; the first if undefined. */
    readonly sheet: string | undefined;
    /** Escapes CSV texts that a program could read as formulas. */
    readonly safe: boolean;
    readonly at: number;
    readonly images: ReadonlyMap<string, Uint8Array>;
  };
  import: FileToRead & {
    /** Interprets CSV fields like typed text. */
    readonly typed: boolean;
  };
  /** Renders a file for viewing. */
  view: FileToRead & { readonly wishes: ViewOptions };
  /** The only asynchronous request, because its libraries are loaded on first use. The drawing is JSON. */
  draw: { readonly drawing: Uint8Array };
  close: unknown;
}

/** A document as stored: a snapshot of a version, and the revisions since. */
interface LoggedState {
  readonly snapshot: Uint8Array | undefined;
  readonly version: number;
  readonly revisions: readonly LoggedRevision[];
}

interface FileToRead {
  readonly format: FileFormat | 'xls';
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

/** `ms`: duration of the work. */
export interface WorkerAnswers {
  /** `version`: the last revision replayed. `replayMs`: duration of the replay. */
  open: { version: number; cells: number; ms: number; replayMs: number };
  apply: { version: number; cells: number; ms: number; replayMs: number };
  /**
   * Answers of the first calls; calls that were not reached have none. `isLost`: the thread no longer holds the
   * document. `isTooMuch`: the next call exceeds this lane's budget and had no effect. `steps`: of the last call, if
   * there were many.
   */
  run: { answers: ToolAnswer[]; cells: number; ms: number; isLost: boolean; isTooMuch: boolean; steps: number };
  rollback: { version: number };
  snapshot: { version: number; bytes: Uint8Array };
  validate: DocumentValidation;
  text: { text: string };
  images: { keys: string[] };
  export: { bytes: Uint8Array };
  import: ImportResult;
  /** The view as JSON. */
  view: { bytes: Uint8Array };
  /** The operation's answer as JSON. */
  draw: { bytes: Uint8Array };
  close: Record<string, never>;
}

export type WorkerAnswer<Kind extends WorkerRequest['do']> = WorkerAnswers[Kind];
