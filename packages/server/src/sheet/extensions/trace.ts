import { z } from 'zod';
import { flag, integer, list, oneOf, text } from '../../operation/fields.ts';
import { addressOf, placeNamed, type Place } from '../calls/address.ts';
import { readTool } from '../calls/tool.ts';
import { dependents, placeLine, precedents, type Trail } from '../reading/trace.ts';
import { addressField, fileFields, ownSheetField, tokensField } from '../schema.ts';

const charactersPerToken = 4;
const traceTokens = 800;
/** Approximate characters of an answer's frame around its lines. */
const around = 60;

export const trace = readTool({
  name: 'trace',
  summary:
    'Traces what cells are calculated from (precedents) and what depends on them, by level, with values and ' +
    'formulas.\nExample: {"range":"Sales!D2","levels":3}',
  input: z.object({
    ...fileFields,
    range: addressField('Cell or range.'),
    ...ownSheetField,
    direction: oneOf('Which way. Default: both.', ['precedents', 'dependents', 'both']).optional(),
    levels: integer('How many steps to follow. Default: 1.', { min: 1, max: 20 }).optional(),
    ...tokensField(traceTokens),
  }),
  output: z.object({
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
  }),
  read(document, input) {
    const place = placeNamed(document, input.range, { sheet: input.sheet_id });
    const levels = input.levels ?? 1;
    const cell = lineOf(place);
    let left = (input.max_tokens ?? traceTokens) * charactersPerToken - around - JSON.stringify(cell).length;
    let truncated = false;
    const linesOf = ({ steps, isPartial }: Trail): string[][] => {
      const byLevel: string[][] = [];
      truncated ||= isPartial;
      for (const { level, place: one } of steps) {
        const line = placeLine(document, place.sub, one);
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
      ...(direction === 'dependents' ? {} : { precedents: linesOf(precedents(document, place, levels)) }),
      ...(direction === 'precedents' ? {} : { dependents: linesOf(dependents(document, place, levels)) }),
    };
    function lineOf(one: Place): string {
      return `${addressOf(one.sub, one.rect)}${placeLine(document, one.sub, one).replace(/^\S+/, '')}`;
    }
    return { ...answer, ...(truncated ? { truncated } : {}) };
  },
});
