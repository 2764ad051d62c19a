import { flag, integer, list, oneOf, text } from '../../../kernel/field-schemas.ts';
import { formatAddress, resolveAddress, type SheetRange } from '../calls/address.ts';
import { readTool } from '../calls/tool.ts';
import {
  traceDependents,
  describeTracedRange,
  tracePrecedents,
  type DependencyTrace,
} from '../reading/dependency-trace.ts';
import { charactersPerToken, addressField, defaultSheetField, tokensField } from '../schema.ts';

const traceTokens = 800;
/**
 * Approximate length, in characters of JSON, of an answer without the addresses that it traces. It is subtracted from
 * the answer's maximum length; the rest is available for the traced addresses.
 */
const answerOverhead = 60;

export const trace = readTool({
  name: 'trace',
  summary:
    'Traces what cells are calculated from (precedents) and what depends on them, by level, with values and ' +
    'formulas.\nExample: {"range":"Sales!D2","levels":3}',
  input: {
    range: addressField('Cell or range.'),
    ...defaultSheetField,
    direction: oneOf('Which way. Default: both.', ['precedents', 'dependents', 'both']).optional(),
    levels: integer('How many steps to follow. Default: 1.', { min: 1, max: 20 }).optional(),
    ...tokensField(traceTokens),
  },
  output: {
    cell: text('The cell or range itself: address, what it shows, formula.'),
    precedents: list(
      'By level: what the formulas read.',
      list('A level.', text('Address, what it shows, formula.')),
    ).optional(),
    dependents: list(
      'By level: formulas that read it.',
      list('A level.', text('Address, what it shows, formula.')),
    ).optional(),
    truncated: flag('Whether something was left out to stay within the budget.').optional(),
  },
  read(document, input) {
    const place = resolveAddress(document, input.range, { sheet: input.sheet_id });
    const levels = input.levels ?? 1;
    const cell = lineOf(place);
    let left = (input.max_tokens ?? traceTokens) * charactersPerToken - answerOverhead - JSON.stringify(cell).length;
    let truncated = false;
    const linesOf = ({ steps, isPartial }: DependencyTrace): string[][] => {
      const byLevel: string[][] = [];
      truncated ||= isPartial;
      for (const { level, place: one } of steps) {
        const line = describeTracedRange(document, place.sub, one);
        left -= JSON.stringify(line).length + (byLevel[level - 1] ? 1 : 3);
        if (left < 0) {
          truncated = true;
          break;
        }
        (byLevel[level - 1] ??= []).push(line);
      }
      return byLevel;
    };
    const direction = input.direction ?? 'both';
    const answer = {
      cell,
      ...(direction === 'dependents' ? {} : { precedents: linesOf(tracePrecedents(document, place, levels)) }),
      ...(direction === 'precedents' ? {} : { dependents: linesOf(traceDependents(document, place, levels)) }),
    };
    function lineOf(one: SheetRange): string {
      return `${formatAddress(one.sub, one.rect)}${describeTracedRange(document, one.sub, one).replace(/^\S+/, '')}`;
    }
    return { ...answer, ...(truncated ? { truncated } : {}) };
  },
});
