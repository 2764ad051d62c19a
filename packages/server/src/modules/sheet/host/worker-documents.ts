import { overLimit } from '../errors.ts';
import { toTaskFailure } from '../../../lib/task-failure.ts';
import { Failure, fail } from '../../../kernel/errors.ts';
import { RawJson } from '../../../kernel/raw-json.ts';
import {
  asOf,
  forgetUnused,
  SheetDocument,
  DocumentSpoiled,
  edit,
  rollBackEdit,
  type EditResult,
  loadSnapshot,
  encodeSnapshot,
} from '@sheaf/engine/internal/document';
import { BudgetExceeded, StepBudget, type Allowance, within, FormulaSyntaxError } from '@sheaf/engine';
import { areNoOps, CutsArray, CutsMerge, type Mutation } from '@sheaf/engine/internal/mutations';
import { requireAssertions } from '../calls/assertions.ts';
import { ChangeTracker, formatChangeList, formatChangesWithinTokens, describeShifts } from '../calls/change-tracker.ts';
import { computeRevisionEffect, hasResizedSheets, readSheetSizes } from '../calls/revision-effect.ts';
import { resolveSheetNames } from '../calls/resolve-sheet-names.ts';
import { affectedRange } from '../calls/affected-range.ts';
import { describeChange } from '../calls/change-notice.ts';
import { maxRevisionBytes, RevisionSize } from '../calls/revision-size.ts';
import { StaleVersion } from '../calls/stale-version.ts';
import { readWriteOptions } from '../schema.ts';
import { applyEdit } from '../calls/apply-edit.ts';
import { refuseInvalidValues } from '../protection/refuse-invalid-values.ts';
import { refusePivotOutput } from '../protection/refuse-pivot-output.ts';
import { refuseProtected } from '../protection/refuse-protected.ts';
import { refuseSpillIntoProtected, captureSpills } from '../protection/spill-protection.ts';
import type { WritePlan, Tool } from '../calls/tool.ts';
import { ExceedsLaneBudget, createCallBudget } from './call-budget.ts';
import { extractSearchText } from './search-text.ts';
import { exportDocument, listImageKeys, importFile, previewFile } from './file-conversion.ts';
import type { LargeCallLock } from './large-call-lock.ts';
import type {
  AnswerJson,
  DrawRequest,
  Lane,
  LoggedRevision,
  ToolAnswer,
  ToolRequest,
  WriteOptions,
  WorkerAnswer,
  WorkerRequest,
} from './protocol.ts';
import { isEngineInputError } from './engine-input-error.ts';
import { toSerialDate } from './serial-date.ts';
import { validateDocument } from './validate-document.ts';

/**
 * Maximum time in milliseconds for which the thread runs calls of one document, or replays its revisions, before it
 * serves other documents. It stops between two calls or revisions, and the main thread sends the rest later.
 */
const maxBatchMs = 200;
/**
 * Size of results in bytes after which a batch of calls is interrupted. The main thread copies all results of a batch
 * in one step, and a larger copy would block it for too long.
 */
const maxBatchBytes = maxRevisionBytes / 4;
const maxChanges = 200;
/**
 * Maximum total length in characters of a document's texts, each distinct text counted once. Limits the document's
 * memory.
 */
const maxTextCharacters = 2 ** 28;
const maxTextAnswer = 4096;

interface OpenDocument {
  document: SheetDocument;
  version: number;
  /** Inverse mutations of the revisions that are applied but not yet committed, oldest first. */
  undo: { version: number; inverse: readonly Mutation[]; clock: SheetDocument['clock'] }[];
}

interface ThreadLimits {
  readonly maxCharacters?: number;
  readonly largeCallLock?: LargeCallLock | undefined;
  readonly lane?: Lane | undefined;
  readonly gauge?: Int32Array | undefined;
}

/**
 * Holds the documents that are open in one worker thread, and runs the requests that the thread receives. All work is
 * synchronous: each request finishes before the next one begins.
 */
export class WorkerDocuments {
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #newId: (prefix: string) => string;
  readonly #maxCharacters: number;
  readonly #largeCallLock: LargeCallLock | undefined;
  readonly #lane: Lane;
  readonly #gauge: Int32Array | undefined;
  readonly #open = new Map<string, OpenDocument>();
  readonly #encoder = new TextEncoder();

  constructor(
    tools: ReadonlyMap<string, Tool>,
    newId: (prefix: string) => string,
    { maxCharacters = maxTextCharacters, largeCallLock, lane = 'quick', gauge }: ThreadLimits = {},
  ) {
    this.#tools = tools;
    this.#newId = newId;
    this.#maxCharacters = maxCharacters;
    this.#largeCallLock = largeCallLock;
    this.#lane = lane;
    this.#gauge = gauge;
  }

  handle(request: Exclude<WorkerRequest, DrawRequest>): WorkerAnswer<WorkerRequest['do']> {
    const started = performance.now();
    switch (request.do) {
      case 'open': {
        const document = request.snapshot ? loadSnapshot(request.snapshot) : new SheetDocument();
        const open: OpenDocument = { document, version: request.version, undo: [] };
        const state = this.#replay(open, request.revisions, started);
        this.#open.set(request.file, open);
        return state;
      }
      case 'apply':
        return this.#replay(this.#requireOpen(request.file), request.revisions, started);
      case 'run': {
        const open = this.#requireOpen(request.file);
        open.undo = open.undo.filter((one) => one.version > request.committed);
        const answers: ToolAnswer[] = [];
        let isTooMuch = false;
        let bytes = 0;
        for (const call of request.calls) {
          const answer = this.#run(request.file, open, call);
          isTooMuch = answer === undefined;
          if (!answer) break;
          answers.push(answer);
          bytes += answer.kind === 'write' ? answer.mutations.length + answer.inverse.length : 0;
          const isLong = performance.now() - started > maxBatchMs || bytes > maxBatchBytes;
          if (isLong || !this.#open.has(request.file)) break;
        }
        return {
          answers,
          cells: countDocumentCells(open.document),
          ms: performance.now() - started,
          isLost: !this.#open.has(request.file),
          isTooMuch,
          steps: this.#gauge?.[0] ?? 0,
        };
      }
      case 'rollback': {
        const open = this.#requireOpen(request.file);
        while (open.undo.length > 0 && open.undo.at(-1)!.version > request.version) {
          const { inverse, clock } = open.undo.pop()!;
          rollBackEdit(open.document, inverse, clock);
          open.version--;
        }
        return { version: open.version };
      }
      case 'snapshot': {
        const open = this.#requireOpen(request.file);
        return { version: open.version, bytes: encodeSnapshot(open.document) };
      }
      case 'validate':
        return validateDocument(request);
      case 'text':
        return extractSearchText(this.#requireOpen(request.file).document, request.limit);
      case 'images':
        return { keys: listImageKeys(this.#requireOpen(request.file).document) };
      case 'export':
        return { bytes: exportDocument(this.#requireOpen(request.file).document, request) };
      case 'import':
        return importFile(request, this.#newId);
      case 'view':
        return { bytes: previewFile(request, this.#newId) };
      case 'close':
        this.#open.delete(request.file);
        return {};
    }
  }

  #requireOpen(file: string): OpenDocument {
    const open = this.#open.get(file);
    if (!open) throw new Error(`document ${file} is not open in this thread`);
    return open;
  }

  /**
   * Replays logged revisions without a budget, because a document must open with every revision that was once accepted.
   * Stops between two revisions if the replay takes long; the main thread then sends the rest later.
   */
  #replay(open: OpenDocument, revisions: readonly LoggedRevision[], started: number): WorkerAnswer<'open'> {
    const replayStarted = performance.now();
    for (const revision of revisions) {
      if (revision.version !== open.version + 1)
        throw new Error(`revision ${revision.version} follows ${open.version}`);
      within(new StepBudget({ large: this.#largeCallLock?.forReplay }), () =>
        edit(open.document, JSON.parse(revision.mutations) as Mutation[], {
          now: toSerialDate(revision.at),
          seed: revision.seed,
        }),
      );
      open.version = revision.version;
      if (performance.now() - replayStarted > maxBatchMs) break;
    }
    const now = performance.now();
    const cells = countDocumentCells(open.document);
    return { version: open.version, cells, ms: now - started, replayMs: now - replayStarted };
  }

  /**
   * Runs a call. Returns undefined if the call exceeds the budget of this thread; it then had no effect and must run in
   * a thread for slow documents.
   */
  #run(file: string, open: OpenDocument, request: ToolRequest): ToolAnswer | undefined {
    try {
      return within(new StepBudget(this.#createBudget()), () =>
        asOf(toSerialDate(request.at), () => this.#execute(open, request)),
      );
    } catch (error) {
      if (error instanceof ExceedsLaneBudget) return undefined;
      const answer = failureOf(error);
      // After a fault in a write, the document's state is unknown. Drop the document, so that it is loaded again from
      // the log.
      const isSpoiled = answer.kind === 'fault' && this.#tools.get(request.tool)?.work.kind !== 'read';
      if (isSpoiled || error instanceof DocumentSpoiled) this.#open.delete(file);
      return answer;
    }
  }

  #execute(open: OpenDocument, request: ToolRequest): ToolAnswer {
    const tool = this.#tools.get(request.tool);
    if (!tool) throw fail('unknown_operation', `there is no tool ${request.tool}`);
    const { document } = open;
    const calculation = { now: toSerialDate(request.at), seed: request.seed };
    const call = {
      userId: request.userId,
      isOwner: request.isOwner,
      at: request.at,
      version: open.version,
      calculation,
      newId: this.#newId,
    };
    const input = resolveSheetNames(document, request.input) as never;
    if (tool.work.kind === 'read') {
      const data = tool.work.read(document, input, call);
      return { kind: 'read', json: this.#json(data) };
    }
    const wishes = readWriteOptions(request.input as Record<string, unknown>);
    const plan = tool.work.plan(document, input, call);
    const { mutations, checked } = plan;
    if (!checked) {
      refuseProtected(document, mutations, call);
      refusePivotOutput(document, mutations);
    }
    // Sub-sheet for the addresses in the caller's `assert` conditions that name no sub-sheet.
    const home = wishes.sheet ?? plan.report?.sheet ?? plan.home;
    const refuseIfBroken = (): void => requireAssertions({ document, sheet: home, calculation }, wishes.assert);
    if (areNoOps(document, mutations)) {
      refuseIfBroken();
      return { kind: 'nothing', json: this.#json(answerOf(document, plan, wishes, nothingChanged)) };
    }
    const size = new RevisionSize();
    const serialized = size.serialize(mutations);
    const watch = wishes.changes || wishes.dryRun || plan.report ? new ChangeTracker(document, mutations) : undefined;
    const spread = captureSpills(document, call);
    const clock = document.clock;
    const range = affectedRange(document, mutations);
    const sizes = readSheetSizes(document);
    const apply = (): EditResult => applyEdit(document, mutations, calculation);
    // `checked` means that dryRunSteps() has already applied the mutations once, rolled them back, and used up the
    // call's budget. Applying them again gets a new budget.
    const { inverse, changed } = checked ? within(new StepBudget(this.#createBudget()), apply) : apply();
    let answer: Record<string, unknown>;
    let notice: string | undefined;
    let serializedInverse: string;
    try {
      // With `checked`, dryRunSteps() has already checked the formulas that the caller writes, so pass no mutations.
      // The check then concerns only cells that were not filled before the edit.
      if (spread) refuseSpillIntoProtected(document, spread, call, checked ? [] : mutations);
      if ((wishes.validation || request.isAtPage) && !isUndoing(request.tool))
        refuseInvalidValues(document, mutations, calculation);
      this.#refuseTooLarge(document);
      serializedInverse = size.serialize(inverse);
      refuseIfBroken();
      answer = answerOf(document, plan, wishes, watch?.changedCells(changed));
      if (tool.isSpecified) notice = describeChange(document, mutations, changed, open.version + 1);
    } catch (error) {
      rollBackEdit(document, inverse, clock);
      throw error;
    }
    if (wishes.dryRun) {
      rollBackEdit(document, inverse, clock);
      return { kind: 'nothing', json: this.#json(answer) };
    }
    open.version++;
    open.undo.push({ version: open.version, inverse, clock });
    return {
      kind: 'write',
      json: this.#json(tool.isSpecified ? answer : { ...answer, version: open.version }),
      notice,
      mutations: serialized,
      inverse: serializedInverse,
      range,
      effect: computeRevisionEffect(mutations, hasResizedSheets(document, sizes)),
    };
  }

  #createBudget(): Allowance {
    if (this.#gauge) Atomics.store(this.#gauge, 0, 0);
    return createCallBudget(this.#lane, {
      large: this.#largeCallLock?.forCall,
      gauge: this.#gauge,
      onSteps: this.#largeCallLock?.recordSteps,
    });
  }

  #refuseTooLarge({ workbook }: SheetDocument): void {
    const { strings } = workbook;
    if (strings.characters <= this.#maxCharacters) return;
    forgetUnused(workbook, true);
    if (strings.characters <= this.#maxCharacters) return;
    throw overLimit(
      `the texts of the document's cells would have ${strings.characters} characters, each different text ` +
        `counted once, and a document holds at most ${this.#maxCharacters}`,
    );
  }

  #json(data: Record<string, unknown> | RawJson): AnswerJson {
    if (data instanceof RawJson) return data.bytes;
    const text = JSON.stringify(data);
    return text.length <= maxTextAnswer ? text : this.#encoder.encode(text);
  }
}

/**
 * Returns whether the tool restores earlier values. These values skip data validation, because they were accepted
 * before.
 */
function isUndoing(tool: string): boolean {
  return tool === 'revert' || tool === 'undo_revision';
}

const nothingChanged = { cells: [], count: 0, isPartial: false };

function answerOf(
  document: SheetDocument,
  { data = {}, report, mutations }: WritePlan<Record<string, unknown>>,
  { changes, dryRun }: WriteOptions,
  found: ReturnType<ChangeTracker['changedCells']> | undefined,
): Record<string, unknown> {
  if (!found || !(changes || dryRun || report)) return data;
  return {
    ...data,
    ...(report ? formatChangesWithinTokens(document, found, report.tokens, report.sheet) : {}),
    ...(changes || (dryRun && !report) ? formatChangeList(document, found, maxChanges) : {}),
    ...(found === nothingChanged ? {} : describeShifts(document, mutations)),
    ...(dryRun ? { dry_run: true } : {}),
  };
}

function countDocumentCells(document: SheetDocument): number {
  return document.subSheets.reduce((sum, one) => sum + one.sheet.cells.extent, 0);
}

function failureOf(error: unknown): ToolAnswer {
  const failure = (word: string, message: string): ToolAnswer => ({ kind: 'failure', word, message });
  if (error instanceof StaleVersion) return { kind: 'stale', version: error.version };
  if (error instanceof Failure) return failure(error.word, error.message);
  if (error instanceof BudgetExceeded) return failure('busy', `${error.message}; nothing was changed`);
  if (error instanceof DocumentSpoiled)
    return failure('busy', 'the calculation needs more than a call may take; nothing was changed');
  if (error instanceof FormulaSyntaxError) return failure('formula', error.message);
  if (error instanceof CutsMerge || error instanceof CutsArray) return failure('conflict', error.message);
  if (isEngineInputError(error)) return failure('invalid_parameter', error.message);
  return { kind: 'fault', fault: toTaskFailure(error) };
}
