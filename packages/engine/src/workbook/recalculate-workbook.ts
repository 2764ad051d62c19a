import { currentBudget } from '../base/budget.ts';
import { asOf } from '../base/current-time.ts';
import { Evaluation } from '../formula/evaluation-context.ts';
import { Recalculation } from '../graph/recalculation.ts';
import { DirtySet } from '../graph/dirty-set.ts';
import type { FormulaGroup } from '../graph/formula-group.ts';
import { RollbackJournal } from '../graph/rollback-journal.ts';
import { GroupCalculator, type Change } from '../graph/group-calculator.ts';
import { textTag } from '../store/chunk.ts';
import type { IndexedSheet } from '../store/indexed-sheet.ts';
import { SeededRandom } from '../base/seeded-random.ts';
import type { RecalcOptions, WorkbookCore } from './workbook-core.ts';

interface DueRows {
  readonly group: FormulaGroup;
  readonly top: number;
  readonly bottom: number;
}

/** Objects reused by all recalculations of a workbook, because creating them costs more than a small edit. */
export class RecalcState {
  readonly dirty: DirtySet;
  readonly journal = new RollbackJournal();
  readonly random = new SeededRandom(0);
  readonly ev: Evaluation;
  readonly writer: GroupCalculator;
  readonly calculation: Recalculation;

  constructor(workbook: WorkbookCore, sheet: IndexedSheet) {
    const { graph, spills, templates } = workbook;
    this.dirty = new DirtySet(graph, spills);
    this.ev = new Evaluation(workbook, sheet, currentBudget(), 0, this.random.next);
    this.writer = new GroupCalculator(this.ev, this.random, templates, spills, this.journal);
    this.calculation = new Recalculation(graph, this.dirty, spills, this.writer, this.ev);
  }
}

/**
 * Recalculates all formulas that are out of date. Returns the changed cells. If it throws, all values are as before.
 */
export function recalculate(workbook: WorkbookCore, options: RecalcOptions): Change[] {
  const { graph, spills, changed } = workbook;
  const [first] = workbook.sheets;
  if (!first) return [];
  workbook.noteTables();
  graph.flush();
  // The state is taken out of the workbook while the recalculation runs, so that the state of a failed recalculation is
  // never reused.
  const state = workbook.recalcState ?? new RecalcState(workbook, first);
  workbook.recalcState = undefined;
  const { dirty, journal, random, ev, writer } = state;
  graph.takeDue((group, top, bottom) => dirty.mark(group, top, bottom));
  if (graph.volatile.size > 0) for (const group of graph.volatile) dirty.mark(group, group.top, group.bottom);
  const written: Parameters<typeof changed.add>[] = [];
  changed.drain((sheet, col, top, bottom) => {
    written.push([sheet, col, top, bottom]);
    dirty.changed(sheet, top, col, bottom, col);
    if (!spills.any(sheet.id)) return;
    // Recalculate every array that overlaps a changed cell: the cell may have been written inside the array, or may
    // have blocked the array before.
    for (const anchor of spills.meeting(sheet.id, top, col, bottom, col)) {
      const group = graph.maps.get(sheet.id)?.at(anchor.row, anchor.col);
      if (group) dirty.mark(group, anchor.row, anchor.row);
    }
  });
  let changes: Change[];
  let due: DueRows[] | undefined;
  try {
    dirty.drain();
    if (dirty.groups.length === 0) {
      workbook.recalcState = state;
      return [];
    }
    due = dueRowsOf(dirty);
    random.reseed(options.seed ?? 0);
    ev.budget = currentBudget();
    ev.now = options.now ?? 0;
    writer.reset();
    asOf(ev.now, () => state.calculation.run(ev.budget, workbook.iteration));
    ({ changes } = writer);
  } catch (error) {
    journal.rollBack(spills);
    for (const { group, top, bottom } of due ?? dueRowsOf(dirty)) graph.markDue(group.sheet, group.col, top, bottom);
    // If the search for formulas that depend on the written cells did not finish, record the cells as changed again, so
    // that the next recalculation repeats the search.
    if (!due) for (const one of written) changed.add(...one);
    throw error;
  } finally {
    dirty.clear();
  }
  journal.clear();
  workbook.recalcState = state;
  forgetUnused(workbook);
  return changes;
}

function dueRowsOf(dirty: DirtySet): DueRows[] {
  const { groups } = dirty;
  const due: DueRows[] = [];
  for (let i = 0; i < groups.length; i++) {
    const group = groups[i] as FormulaGroup;
    due.push({ group, top: group.dirtyTop, bottom: group.dirtyBottom });
  }
  return due;
}

/**
 * Removes unused texts from memory if the number or length of all texts has more than doubled since the last removal,
 * and unused formulas if the number of formulas has. With `allTexts`, removes unused texts in any case.
 */
export function forgetUnused(workbook: WorkbookCore, allTexts = false): void {
  const { strings, templates, sheets, outside } = workbook;
  const texts =
    allTexts ||
    strings.size >= 2 * strings.kept + 100_000 ||
    strings.characters >= 2 * strings.keptCharacters + 2 ** 24;
  const formulas = templates.size >= 2 * templates.retained + 50_000;
  if (!texts && !formulas) return;
  const usedTexts = new Uint8Array(strings.highest + 1);
  const usedFormulas = new Uint8Array(templates.highest + 1);
  for (const { cells } of [...sheets, ...outside.list()]) {
    for (const band of cells.bands) {
      for (const chunk of band.chunks) {
        if (!chunk) continue;
        const ids = chunk.formulas;
        for (let i = 0; i < chunk.rows; i++) {
          if (chunk.tags[i] === textTag) usedTexts[chunk.nums[i] as number] = 1;
          if (ids && (ids[i] as number) > 0) usedFormulas[ids[i] as number] = 1;
        }
      }
    }
  }
  for (const { template } of workbook.names.list()) usedFormulas[template.id] = 1;
  if (texts) strings.sweep((id) => usedTexts[id] === 1);
  if (formulas) templates.sweep((id) => usedFormulas[id] === 1);
}
