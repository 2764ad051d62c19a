import type { Rect } from '../base/address.ts';
import { charge } from '../base/budget.ts';
import type { Template } from '../formula/formula-template.ts';
import { DirtySet } from '../graph/dirty-set.ts';
import type { WorkbookCore } from './workbook-core.ts';

/**
 * Returns, by sub-sheet id, the cells whose value may contain the text of a formula: their formulas call FORMULATEXT,
 * directly or through a name, or read such cells. Formulas with dynamic references are assumed to read such cells.
 */
export function cellsShowingFormulaText(workbook: WorkbookCore): Map<number, Rect[]> {
  const { graph, spills } = workbook;
  const found = new Map<number, Rect[]>();
  graph.flush();
  const isSource = (template: Pick<Template, 'pattern'>, sheet: number, within: ReadonlySet<string>): boolean =>
    template.pattern.formulaText ||
    template.pattern.names.some((name) => {
      const definition = within.has(name) ? undefined : workbook.nameDefinition(name, sheet);
      return definition !== undefined && isSource(definition, sheet, new Set([...within, name]));
    });
  const reached = new DirtySet(graph, spills);
  const none = new Set<string>();
  try {
    for (const map of graph.maps.values())
      map.each((group) => {
        charge(1);
        if (isSource(group, group.sheet.id, none)) reached.mark(group, group.top, group.bottom);
      });
    if (reached.groups.length === 0) return found;
    for (const map of graph.maps.values())
      map.each((group) => {
        if (group.pattern.hasDynamicRefs) reached.mark(group, group.top, group.bottom);
      });
    reached.drain();
    for (const { sheet, col, dirtyTop, dirtyBottom } of reached.groups) {
      const rects = found.get(sheet.id) ?? [];
      rects.push({ top: dirtyTop, left: col, bottom: dirtyBottom, right: col });
      spills.eachFrom(sheet, col, dirtyTop, dirtyBottom, (area) => void rects.push(area));
      found.set(sheet.id, rects);
    }
    return found;
  } finally {
    reached.clear();
  }
}
