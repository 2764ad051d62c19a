import { currentBudget } from '../base/budget.ts';
import { Evaluation } from '../formula/evaluation.ts';
import { Calculation } from '../graph/calculation.ts';
import { DirtySet } from '../graph/dirty.ts';
import type { Group } from '../graph/group.ts';
import { Journal } from '../graph/journal.ts';
import { Writer, type Change } from '../graph/writer.ts';
import { textTag } from '../store/chunk.ts';
import { SeededRandom } from '../base/random.ts';
import type { RecalcOptions, WorkbookCore } from './workbook.ts';

/** Brings every formula up to date, or throws and leaves every value as it was. */
export function recalculate(workbook: WorkbookCore, options: RecalcOptions): Change[] {
  const { graph, spills, changed } = workbook;
  const [first] = workbook.sheets;
  if (!first) return [];
  workbook.noteTables();
  graph.settle();
  const dirty = new DirtySet(graph, spills);
  graph.takeDue((group, top, bottom) => dirty.mark(group, top, bottom));
  for (const group of graph.volatile) dirty.mark(group, group.top, group.bottom);
  const written: Parameters<typeof changed.add>[] = [];
  changed.take((sheet, col, top, bottom) => {
    written.push([sheet, col, top, bottom]);
    dirty.changed(sheet, top, col, bottom, col);
    if (!spills.any(sheet.id)) return;
    // Something was written into an array, or taken out of its way.
    for (const anchor of spills.meeting(sheet.id, top, col, bottom, col)) {
      const group = graph.maps.get(sheet.id)?.at(anchor.row, anchor.col);
      if (group) dirty.mark(group, anchor.row, anchor.row);
    }
  });
  const journal = new Journal();
  let changes: Change[];
  let due: { group: Group; top: number; bottom: number }[] | undefined;
  try {
    dirty.drain();
    if (dirty.groups.length === 0) return [];
    due = dueOf(dirty);
    const random = new SeededRandom(options.seed ?? 0);
    const ev = new Evaluation(workbook, first, currentBudget(), options.now ?? 0, random.next);
    const writer = new Writer(ev, random, workbook.templates, spills, journal);
    new Calculation(graph, dirty, spills, writer, ev, workbook.iteration).run();
    changes = writer.changes;
  } catch (error) {
    journal.undo(spills);
    for (const { group, top, bottom } of due ?? dueOf(dirty)) graph.require(group.sheet, group.col, top, bottom);
    // Cut off while looking for what reads them: they are to be looked at again.
    if (!due) for (const one of written) changed.add(...one);
    throw error;
  } finally {
    dirty.clear();
  }
  forgetUnused(workbook);
  return changes;
}

function dueOf(dirty: DirtySet): { group: Group; top: number; bottom: number }[] {
  return dirty.groups.map((group) => ({ group, top: group.dirtyTop, bottom: group.dirtyBottom }));
}

/** Texts and formulas that no cell holds any more go once they are the greater part; `allTexts`: all such texts, now. */
export function forgetUnused(workbook: WorkbookCore, allTexts = false): void {
  const { strings, templates, sheets, outside } = workbook;
  const texts =
    allTexts ||
    strings.size >= 2 * strings.kept + 100_000 ||
    strings.characters >= 2 * strings.keptCharacters + 2 ** 24;
  const formulas = templates.size >= 2 * templates.kept + 50_000;
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
