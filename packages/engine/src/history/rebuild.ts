import { SheetDocument } from '../document/document.ts';
import { edit } from './apply-edit.ts';
import { isKnown } from '../mutations/index.ts';
import type { Mutation } from '../mutations/define-mutation.ts';
import { openSnapshot, loadCells, createDocumentFromHeader, type OpenedSnapshot } from './snapshot/decode-snapshot.ts';
import { upgradeValues } from './snapshot.ts';
import { encodeSnapshot } from './snapshot/encode-snapshot.ts';

/** A committed edit: its mutations, and the time and seed that its formulas used. */
export interface Revision {
  readonly version: number;
  readonly mutations: readonly Mutation[];
  readonly now: number;
  readonly seed: number;
}

/** The data from which a document is rebuilt: an optional snapshot of some version, and all revisions after it. */
export interface RebuildSource {
  readonly snapshot?: { readonly version: number; readonly bytes: Uint8Array };
  readonly revisions: readonly Revision[];
}

export type RebuildStage = (typeof rebuildSteps)[number][0];

export interface RebuildState {
  readonly source: RebuildSource;
  version: number;
  document: SheetDocument;
  opened: OpenedSnapshot | undefined;
  /** The mutation being applied, to report where a rebuild failed. */
  mutation: Mutation | undefined;
}

export function beginRebuild(source: RebuildSource): RebuildState {
  return {
    source,
    version: source.snapshot?.version ?? 0,
    document: new SheetDocument(),
    opened: undefined,
    mutation: undefined,
  };
}

/**
 * Loads everything except the cells from the snapshot, such as sub-sheets, styles, names and charts. Without a
 * snapshot, the document stays empty.
 */
export function loadSnapshotHeader(state: RebuildState): void {
  const { snapshot: from } = state.source;
  if (!from) return;
  state.opened = openSnapshot(from.bytes);
  state.document = createDocumentFromHeader(state.opened);
}

/**
 * Throws unless the revisions directly follow the snapshot, their version numbers have no gaps, and every mutation is
 * of a known kind.
 */
export function checkRevisions(state: RebuildState): void {
  let expected = state.version + 1;
  for (const { version, mutations } of state.source.revisions) {
    state.mutation = undefined;
    if (version !== expected) throw new RangeError(`revision ${version} stands where revision ${expected} should`);
    expected++;
    for (const mutation of mutations) {
      state.mutation = mutation;
      if (!isKnown(mutation))
        throw new RangeError(`revision ${version} holds a mutation of the unknown kind ${mutation.type}`);
    }
  }
  state.mutation = undefined;
}

/** Loads the cells of every sub-sheet from the snapshot: parses formulas and adopts cached values. */
export function loadSnapshotCells(state: RebuildState): void {
  if (state.opened) loadCells(state.opened, state.document);
}

/**
 * Throws unless the loaded document serializes to the bytes of its snapshot. Then recalculates values that another
 * engine version calculated.
 */
export function verifySnapshot(state: RebuildState): void {
  const from = state.source.snapshot;
  if (!from || !state.opened) return;
  const again = encodeSnapshot(state.document, state.opened.header.engine);
  const at = firstDifference(again, from.bytes);
  if (at >= 0)
    throw new RangeError(
      `the snapshot of version ${from.version} does not say what the document it opens as says: byte ${at} differs`,
    );
  upgradeValues(state.opened, state.document);
}

/** Applies the revisions after the snapshot one by one. Sets no calculation limit of its own. */
function applyNewRevisions(state: RebuildState): void {
  for (const { version, mutations, now, seed } of state.source.revisions) {
    edit(state.document, mutations, {
      now,
      seed,
      watch: (mutation) => {
        state.mutation = mutation;
      },
    });
    state.version = version;
    state.mutation = undefined;
  }
}

const rebuildSteps = [
  ['RebuildWorkbook.workbook_cmds', loadSnapshotHeader],
  ['RebuildWorkbook.revisions', checkRevisions],
  ['RebuildSheet', loadSnapshotCells],
  ['RebuildSheetWithTrim', verifySnapshot],
  ['ApplyNewRevisions', applyNewRevisions],
] as const;

export interface RebuiltDocument {
  readonly document: SheetDocument;
  readonly version: number;
}

export interface RebuildFailure {
  readonly stage: RebuildStage;
  /** Type number of the mutation that failed; 0 if none did. */
  readonly mutationType: number;
  readonly message: string;
}

/**
 * Rebuilds a document from its snapshot and the revisions after it. Returns the document, or the first stage that
 * failed.
 */
export function rebuild(source: RebuildSource): RebuiltDocument | RebuildFailure {
  const state = beginRebuild(source);
  for (const [stage, step] of rebuildSteps) {
    try {
      step(state);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      return { stage, mutationType: state.mutation?.type ?? 0, message: error.message };
    }
  }
  return { document: state.document, version: state.version };
}

export function isFailure(result: RebuiltDocument | RebuildFailure): result is RebuildFailure {
  return 'stage' in result;
}

function firstDifference(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return i;
  return a.length === b.length ? -1 : length;
}
