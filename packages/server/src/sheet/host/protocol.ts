import type { TaskFailure } from '../../lib/task-failure.ts';
import type { Effect } from '../calls/effect.ts';
import type { Validation, ViewWishes } from '../../ports/documents.ts';
import type { LargeTurnData } from './large-turn.ts';

/** What the main thread and a document's worker say to each other. One request, one answer, in order per document. */

/** What a thread that holds documents is started with; one that reads or writes a file has none of it. */
/** Where a document is calculated: with everybody, where only quick ones are let in, or with those that calculate all the time. */
export type Lane = 'quick' | 'refuge' | 'slow';

export interface ThreadData {
  readonly lane: Lane;
  readonly largeTurn: LargeTurnData;
  /** One number: the steps that the call under way has taken. */
  readonly gauge: SharedArrayBuffer;
}

export interface ToolRequest {
  readonly tool: string;
  readonly input: unknown;
  readonly userId: string;
  readonly isOwner: boolean;
  readonly at: number;
  readonly seed: number;
  /** A person, by hand: held to data validation, which programs are when they ask for it. */
  readonly isAtPage: boolean;
}

/** What every write can be asked besides its own fields. */
export interface Wishes {
  /** The cells that show something else afterwards. */
  readonly changes: boolean;
  /** To tell what it would do, and do nothing. */
  readonly dryRun: boolean;
  /** What must hold afterwards; otherwise nothing is done. */
  readonly assert: readonly string[];
  /** Sub-sheet of the addresses in `assert` that name none. */
  readonly sheet: string | undefined;
  /** Whether values that data validation does not allow are refused. */
  readonly validation: boolean;
}

/** An answer's data as JSON: text when it is short, which threads hand over at less cost than many small buffers. */
export type AnswerJson = string | Uint8Array;

export type ToolAnswer =
  | { readonly kind: 'read'; readonly json: AnswerJson }
  | {
      readonly kind: 'write';
      readonly json: AnswerJson;
      readonly mutations: string;
      readonly inverse: string;
      readonly range: string | undefined;
      /** Undefined: cells alone. */
      readonly effect: Effect | undefined;
    }
  /** A write that found nothing to change: no revision. */
  | { readonly kind: 'nothing'; readonly json: AnswerJson }
  | { readonly kind: 'failure'; readonly word: string; readonly message: string }
  /** A fault of ours: for the log, not for the caller. */
  | { readonly kind: 'fault'; readonly fault: TaskFailure }
  /** It was planned on a version that is no longer the latest, which `version` is. */
  | { readonly kind: 'stale'; readonly version: number };

/** A revision as the worker replays it. */
export interface LoggedRevision {
  readonly version: number;
  readonly at: number;
  readonly seed: number;
  readonly mutations: string;
}

/** A document as its thread has it. */
export interface ServedDocument {
  readonly version: number;
  readonly bytes: Uint8Array;
}

export type WorkerRequest =
  | {
      readonly do: 'open';
      readonly file: string;
      readonly snapshot: Uint8Array | undefined;
      readonly version: number;
      readonly revisions: readonly LoggedRevision[];
    }
  | { readonly do: 'apply'; readonly file: string; readonly revisions: readonly LoggedRevision[] }
  /** `committed`: up to here nothing needs to be undone any more. */
  | { readonly do: 'run'; readonly file: string; readonly committed: number; readonly calls: readonly ToolRequest[] }
  | { readonly do: 'rollback'; readonly file: string; readonly version: number }
  | { readonly do: 'snapshot'; readonly file: string }
  | {
      readonly do: 'validate';
      readonly file: string;
      readonly snapshot: Uint8Array | undefined;
      readonly version: number;
      readonly revisions: readonly LoggedRevision[];
      readonly target: number;
      readonly served: ServedDocument | undefined;
    }
  | { readonly do: 'text'; readonly file: string; readonly limit: number }
  /** The keys of the images a document shows. */
  | { readonly do: 'images'; readonly file: string }
  | ExportRequest
  | ImportRequest
  | ViewRequest
  | DrawRequest
  | { readonly do: 'close'; readonly file: string };

export type FileFormat = 'xlsx' | 'csv';

export interface ExportRequest {
  readonly do: 'export';
  readonly file: string;
  readonly format: FileFormat;
  /** The sub-sheet a csv is made of; the first when undefined. */
  readonly sheet: string | undefined;
  /** Texts of a csv that a program could take for a formula are made harmless. */
  readonly safe: boolean;
  readonly at: number;
  readonly images: ReadonlyMap<string, Uint8Array>;
}

/** `file` only names the request: nothing is opened. */
export interface ImportRequest {
  readonly do: 'import';
  readonly file: string;
  readonly format: FileFormat | 'xls';
  readonly bytes: Uint8Array;
  /** Fields of a csv are read as typing reads them. */
  readonly typed: boolean;
  readonly owner: string;
  readonly at: number;
}

/** A file as it looks, for who only reads it. `file` only names the request. */
export interface ViewRequest {
  readonly do: 'view';
  readonly file: string;
  readonly format: FileFormat | 'xls';
  readonly bytes: Uint8Array;
  readonly owner: string;
  readonly at: number;
  readonly wishes: ViewWishes;
}

/** The only request that is answered later: its libraries load when first asked. */
export interface DrawRequest {
  readonly do: 'draw';
  readonly file: string;
  /** A Drawing as JSON. */
  readonly drawing: Uint8Array;
}

export interface Imported {
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

/** `ms`: how long the work took. */
export interface WorkerAnswers {
  /** `version` is that of the last revision that had its turn, `replayMs` what the revisions took. */
  open: { version: number; cells: number; ms: number; replayMs: number };
  apply: { version: number; cells: number; ms: number; replayMs: number };
  /**
   * Of the first calls; those that had no turn yet have no answer. `isLost`: the thread holds the document no longer.
   * `isTooMuch`: the next call would keep this lane's thread from others; nothing of it was done. `steps`: of the last one,
   * where it took many.
   */
  run: { answers: ToolAnswer[]; cells: number; ms: number; isLost: boolean; isTooMuch: boolean; steps: number };
  rollback: { version: number };
  snapshot: { version: number; bytes: Uint8Array };
  validate: Validation;
  text: { text: string };
  images: { keys: string[] };
  export: { bytes: Uint8Array };
  import: Imported;
  /** As JSON. */
  view: { bytes: Uint8Array };
  /** The tool's answer as JSON. */
  draw: { bytes: Uint8Array };
  close: Record<string, never>;
}

export type WorkerAnswer<Kind extends WorkerRequest['do']> = WorkerAnswers[Kind];
