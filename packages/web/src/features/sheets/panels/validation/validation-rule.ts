import type { Translate, MessageKey } from '../../../../i18n/use-translation.ts';
import { rangeContains, parseRange, parseReference, type Cell, type CellRange } from '../../cell-geometry.ts';
import { shiftReferences } from '../../grid/edit-state.ts';
import type { SheetSession, ToolInput } from '../../sheet-session.ts';
import { comparisonLabels } from '../conditional-format/conditional-rule.ts';

type Given = ToolInput<'set_validation'>;
export type ValidationFields = Omit<Given, 'sheet_id' | 'validation_id' | 'return_changes' | 'dry_run' | 'assert'>;

export interface Validation extends ValidationFields {
  readonly validation_id: string;
}

export const kindLabels: Readonly<Record<Given['kind'], MessageKey>> = {
  list: 'allowList',
  whole: 'allowWhole',
  decimal: 'allowDecimal',
  date: 'allowDate',
  time: 'allowTime',
  length: 'allowLength',
  custom: 'allowCustom',
  any: 'allowAny',
};

export const isCompared = (kind: Given['kind']): boolean => !['list', 'custom', 'any'].includes(kind);

export function describeValidation({ kind, test, values = [] }: Validation, text: Translate): string {
  if (kind === 'list') return values.join(', ');
  if (kind === 'custom') return values[0] ?? '';
  if (!isCompared(kind)) return text(kindLabels[kind]);
  const between = test === undefined || test.endsWith('between');
  const limit = between ? `${values[0] ?? ''} – ${values[1] ?? ''}` : (values[0] ?? '');
  return `${text(kindLabels[kind])}: ${text(comparisonLabels[test ?? 'between'])} ${limit}`;
}

/** Returns the validation rule of a cell. If several rules cover the cell, the last rule applies. */
export function ruleAt(rules: readonly Validation[], { row, col }: Cell): Validation | undefined {
  return rules.findLast(({ ranges }) =>
    ranges.some((name) => {
      const range = parseRange(name);
      return range !== undefined && rangeContains(range, row, col);
    }),
  );
}

/**
 * Returns the values that the dropdown list of a validation rule offers in a cell. The rule contains the values, or
 * references a range with them.
 */
export async function listValues(session: SheetSession, rule: Validation, cell: Cell): Promise<readonly string[]> {
  const [first = ''] = rule.values ?? [];
  if (!first.startsWith('=')) return rule.values ?? [];
  const source = await sourceOf(session, moved(first.slice(1), rule, cell));
  if (!source) return [];
  const { top, left, bottom, right } = source.range;
  const view = await session.read('get_view', {
    sheet_id: source.tab,
    start_row: top,
    start_col: left,
    end_row: Math.min(bottom, top + maxValues - 1),
    end_col: top === bottom ? Math.min(right, left + maxValues - 1) : left,
  });
  return [...new Set(view.cells.map(([, , shown]) => shown))];
}

const maxValues = 5000;

async function sourceOf(
  session: SheetSession,
  written: string,
  seen: readonly string[] = [],
): Promise<{ tab: string; range: CellRange } | undefined> {
  const { sheet, name } = parseReference(written);
  const range = parseRange(name);
  const tab = sheet === undefined ? session.tab : session.tabs.get().find((one) => one.name === sheet);
  if (range) return tab && { tab: tab.id, range };
  const { names = [] } = await session.read('list_objects', { object_types: ['name'] });
  const named = names.find((one) => one.name.toUpperCase() === name.toUpperCase());
  // Return undefined for defined names that refer to each other: they have no range, and following them would never
  // end.
  return named && !seen.includes(named.name)
    ? sourceOf(session, named.refers_to.slice(1), [...seen, named.name])
    : undefined;
}

/** Shifts the relative references in a rule's formula by the distance of the cell from the rule's first cell. */
function moved(formula: string, { ranges }: Validation, cell: Cell): string {
  const from = parseRange(ranges[0] ?? '');
  if (!from) return formula;
  const [down, right] = [cell.row - from.top, cell.col - from.left];
  if (down === 0 && right === 0) return formula;
  return formula.startsWith('=')
    ? shiftReferences(formula, down, right)
    : shiftReferences(`=${formula}`, down, right).slice(1);
}
