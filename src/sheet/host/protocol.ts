import type { Validation } from '../../ports/documents.ts';

/** What the main thread and a document's worker say to each other. One request, one answer, in order per document. */

export interface ToolRequest {
  readonly tool: string;
  readonly input: unknown;
  readonly userId: string;
  readonly isOwner: boolean;
  readonly at: number;
  readonly seed: number;
  readonly wantChanges: boolean;
}

export type ToolAnswer =
  | { readonly kind: 'read'; readonly bytes: Uint8Array }
  | { readonly kind: 'write'; readonly bytes: Uint8Array; readonly mutations: string; readonly inverse: string }
  /** A write that found nothing to change: no revision. */
  | { readonly kind: 'nothing'; readonly bytes: Uint8Array }
  | { readonly kind: 'failure'; readonly word: string; readonly message: string };

/** A revision as the worker replays it. */
export interface LoggedRevision {
  readonly version: number;
  readonly at: number;
  readonly seed: number;
  readonly mutations: string;
}

export type WorkerRequest =
  | { readonly do: 'open'; readonly file: string; readonly snapshot: Uint8Array | undefined; readonly version: number; readonly revisions: readonly LoggedRevision[] }
  | { readonly do: 'apply'; readonly file: string; readonly revisions: readonly LoggedRevision[] }
  /** `committed`: up to here nothing needs to be undone any more. */
  | { readonly do: 'run'; readonly file: string; readonly committed: number; readonly calls: readonly ToolRequest[] }
  | { readonly do: 'rollback'; readonly file: string; readonly version: number }
  | { readonly do: 'snapshot'; readonly file: string }
  | { readonly do: 'validate'; readonly file: string; readonly snapshot: Uint8Array | undefined; readonly version: number; readonly revisions: readonly LoggedRevision[]; readonly target: number }
  | { readonly do: 'text'; readonly file: string; readonly limit: number }
  | { readonly do: 'close'; readonly file: string };

export interface WorkerAnswers {
  open: { version: number; cells: number };
  apply: { version: number; cells: number };
  run: { answers: ToolAnswer[]; cells: number };
  rollback: { version: number };
  snapshot: { version: number; bytes: Uint8Array };
  validate: Validation;
  text: { text: string };
  close: Record<string, never>;
}

export type WorkerAnswer<Kind extends WorkerRequest['do']> = WorkerAnswers[Kind];
