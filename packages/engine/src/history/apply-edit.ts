import { BudgetExceeded, StepBudget, currentBudget, uninterrupted, within, withinSteps } from '../base/budget.ts';
import { asOf } from '../base/current-time.ts';
import type { SheetDocument } from '../document/document.ts';
import type { Change } from '../graph/group-calculator.ts';
import { apply } from '../mutations/index.ts';
import type { Mutation } from '../mutations/define-mutation.ts';
import { refreshPivots } from '../document/pivot/pivot-output.ts';
import type { RecalcOptions } from '../workbook/workbook-core.ts';

/** A range of cells in one column whose calculated values changed. */
export interface ChangedSpan {
  readonly sheet: string;
  readonly col: number;
  readonly top: number;
  readonly bottom: number;
}

export interface EditOptions extends RecalcOptions {
  /** Called with each mutation before it is applied. */
  readonly watch?: (mutation: Mutation) => void;
}

export interface EditResult {
  /** Mutations that undo the edit; pass them to `edit`. */
  readonly inverse: readonly Mutation[];
  /** Formula and pivot cells whose values changed. Cells that the mutations wrote are not listed. */
  readonly changed: readonly ChangedSpan[];
}

/** Maximum rounds in which pivot tables and formulas update each other. After that, their values stay as they are. */
const maxRounds = 8;

/**
 * Applies mutations and recalculates. If it throws an error other than DocumentSpoiled, the document is unchanged.
 * Values depend only on the document's contents and the time and seed of its last edit. The inverse mutations, applied
 * with the previous time and seed, therefore restore the values too.
 */
export function edit(document: SheetDocument, mutations: readonly Mutation[], options: EditOptions = {}): EditResult {
  return withinSteps(options.limit, () => {
    const { now = document.clock.now, seed = document.clock.seed } = options;
    const undo: Mutation[][] = [];
    try {
      for (const mutation of mutations) {
        options.watch?.(mutation);
        undo.push(uninterrupted(() => apply(document, mutation)));
      }
      const changed = recalculateDocument(document, { now, seed });
      document.clock = { now, seed };
      return { inverse: undo.toReversed().flat(), changed };
    } catch (error) {
      rollBackEdit(document, undo.toReversed().flat(), document.clock);
      throw error;
    }
  });
}

/**
 * Thrown when a failed edit could not be rolled back within its budget. The document's values are then invalid, and it
 * must be reopened.
 */
export class DocumentSpoiled extends Error {
  constructor(cause: unknown) {
    super('the document could not be brought back to what it was; it is to be opened again', { cause });
    this.name = 'DocumentSpoiled';
  }
}

/**
 * Rolls back an edit with a fresh budget, because the edit may have exhausted its own. Throws DocumentSpoiled if the
 * fresh budget is exceeded too.
 */
export function rollBackEdit(
  document: SheetDocument,
  inverse: readonly Mutation[],
  clock: SheetDocument['clock'],
): void {
  const { allowance } = currentBudget();
  try {
    within(new StepBudget(allowance.again?.() ?? { steps: allowance.steps }), () => {
      for (const mutation of inverse) uninterrupted(() => apply(document, mutation));
      recalculateDocument(document, clock);
      document.clock = clock;
    });
  } catch (error) {
    throw error instanceof BudgetExceeded ? new DocumentSpoiled(error) : error;
  }
}

/** Recalculates formulas and pivot tables. Returns the cells whose values changed. */
export function recalculateDocument(document: SheetDocument, options: RecalcOptions): ChangedSpan[] {
  const { limit, ...rest } = options;
  return withinSteps(limit, () => asOf(options.now ?? 0, () => recalculateInBudget(document, rest)));
}

function recalculateInBudget(document: SheetDocument, options: RecalcOptions): ChangedSpan[] {
  const { workbook } = document;
  const looks = document.looksChanged;
  document.looksChanged = false;
  if (looks) workbook.requirePositional();
  const changes: Change[] = [];
  try {
    for (let round = 0; round < maxRounds; round++) {
      for (const change of workbook.recalc(options)) changes.push(change);
      if (document.pivots.length === 0 && document.pivotOutputs.size === 0) break;
      const refreshed = refreshPivots(document, options, looks && round === 0);
      if (refreshed.length === 0) break;
      for (const change of refreshed) changes.push(change);
    }
  } catch (error) {
    document.looksChanged ||= looks;
    throw error;
  }
  return changes.flatMap(({ sheet, col, top, bottom }) => {
    const found = document.numbered(sheet);
    return found ? [{ sheet: found.id, col, top, bottom }] : [];
  });
}
