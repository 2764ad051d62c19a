import { z } from 'zod';
import { flag, integer, list, oneOf, text } from '../../../kernel/field-schemas.ts';
import { requireWorksheet } from '../calls/sheet-lookup.ts';
import { readTool } from '../calls/tool.ts';
import type { Comment, ConditionalFormat, SubSheet, Validation } from '@sheaf/engine/internal/document';
import { dropUndefined, formatRegions, fromFormulaOperand } from '../objects/range-objects.ts';
import { describeTable } from '../objects/tables.ts';
import { describePageSetup } from '../objects/page-setup.ts';
import { readSheetProperties, sheetPropertyFields } from '../objects/sheet-properties.ts';

const types = ['name', 'conditional_format', 'validation', 'comment', 'table', 'sheet'] as const;
const more = z.record(z.string(), z.unknown());

export const list_objects = readTool({
  name: 'list_objects',
  summary: 'Lists names, conditional formats, data validation, comments, tables and sub-sheet properties.',
  input: {
    sheet_id: text('One sub-sheet; all if omitted.', { max: 64 }).optional(),
    object_types: list('All if omitted.', oneOf('A kind.', types), { max: 6 }).optional(),
  },
  output: {
    names: list(
      'Names.',
      z.object({ name: text('Name.'), refers_to: text('Formula.'), sheet_id: text('Scope.').optional() }),
    ).optional(),
    conditional_formats: list('In order of precedence; fields as set.', more).optional(),
    validations: list('Fields as set.', more).optional(),
    comments: list(
      'Threads.',
      z.object({
        comment_id: text('Its id.'),
        sheet_id: text('Its sub-sheet.'),
        row: integer('0-based.'),
        col: integer('0-based.'),
        resolved: flag('Whether it is resolved.'),
        is_note: flag('Whether it is a note of an older workbook.'),
        entries: list(
          'What was said.',
          z.object({
            entry_id: text('Its id.'),
            author: text("Its author's user id, or a name from a file."),
            time: integer('Unix milliseconds; 0 if unknown.'),
            text: text('The text.'),
          }),
        ),
      }),
    ).optional(),
    tables: list('Fields as set, and the headings.', more).optional(),
    sheets: list(
      'Properties.',
      z.object({
        sheet_id: text('Its id.'),
        ...sheetPropertyFields,
        outline: more.meta({ description: 'Groups of rows and cols: first, last, depth.' }).optional(),
        page: more.meta({ description: 'How it is printed.' }),
      }),
    ).optional(),
  },
  read(document, input) {
    const subs = input.sheet_id ? [requireWorksheet(document, input.sheet_id)] : document.subSheets;
    const wanted = new Set<string>(input.object_types ?? []);
    const has = (type: (typeof types)[number]): boolean => wanted.size === 0 || wanted.has(type);
    const all = <T>(tell: (sub: SubSheet) => T[]): T[] => subs.flatMap(tell);
    return {
      names: has('name')
        ? document
            .names()
            .filter(({ sheet }) => !input.sheet_id || sheet === input.sheet_id)
            .map(({ name, sheet, formula }) => ({ name, refers_to: formula, sheet_id: sheet }))
        : undefined,
      conditional_formats: has('conditional_format')
        ? all((sub) => sub.formats.map((one) => formatReply(sub, one)))
        : undefined,
      validations: has('validation')
        ? all((sub) => sub.validations.map((one) => validationReply(sub, one)))
        : undefined,
      comments: has('comment') ? all((sub) => sub.comments.map((one) => commentReply(sub, one))) : undefined,
      tables: has('table') ? all((sub) => sub.tables.map((one) => describeTable(document, sub, one))) : undefined,
      sheets: has('sheet')
        ? subs.map((sub) => ({
            sheet_id: sub.id,
            ...readSheetProperties(sub),
            ...outlineOf(sub),
            page: describePageSetup(document, sub),
          }))
        : undefined,
    };
  },
});

function outlineOf({ rowGroups, colGroups }: SubSheet): { outline?: Record<string, unknown> } {
  if (rowGroups.isEmpty && colGroups.isEmpty) return {};
  const of = (runs: SubSheet['rowGroups']): number[][] =>
    runs.list().flatMap(([first, last, group]) => ((group & 7) === 0 ? [] : [[first, last, group & 7]]));
  return { outline: { rows: of(rowGroups), cols: of(colGroups) } };
}

function formatReply(sub: SubSheet, one: ConditionalFormat): Record<string, unknown> {
  const { id, regions, kind, formulas, test, period, rank, percent, below, equal, deviations, style, stop } = one;
  return dropUndefined({
    format_id: id,
    sheet_id: sub.id,
    ranges: formatRegions(regions),
    kind,
    test,
    values: one.steps ? undefined : formulas?.map(fromFormulaOperand),
    period,
    rank,
    percent,
    below,
    equal,
    deviations,
    style: style && {
      bold: style.bold,
      italic: style.italic,
      strike_through: style.strikeThrough,
      underline: style.underline === undefined ? undefined : true,
      font_color: style.fontColor,
      bg_color: style.bgColor,
    },
    colors: kind === 'scale' ? one.steps?.map(({ color }) => color) : one.color && [one.color],
    icons: one.icons,
    steps: one.steps?.map(({ type }, i) => ({ type, ...(formulas?.[i] ? { value: valueOf(formulas[i]!) } : {}) })),
    reverse: one.reverse,
    hide_value: one.hidesValue,
    stop_if_true: stop,
  });
}

function valueOf(written: string): number | string {
  return Number.isFinite(Number(written)) ? Number(written) : `=${written}`;
}

function validationReply(sub: SubSheet, one: Validation): Record<string, unknown> {
  const { id, regions, kind, test, formulas, required, hidesList, prompt, error } = one;
  const listed = kind === 'list' ? /^"((?:[^"]|"")*)"$/.exec(formulas?.[0] ?? '')?.[1] : undefined;
  return dropUndefined({
    validation_id: id,
    sheet_id: sub.id,
    ranges: formatRegions(regions),
    kind,
    test,
    values: listed === undefined ? formulas?.map(fromFormulaOperand) : listed.replaceAll('""', '"').split(','),
    required,
    hide_list: hidesList,
    prompt_title: prompt?.title,
    prompt: prompt?.text,
    error_title: error?.title,
    error: error?.text,
    error_style: error?.style,
  });
}

function commentReply(sub: SubSheet, { id, regions, entries, resolved, note }: Comment) {
  const [row = 0, col = 0] = regions[0] ?? [];
  return {
    comment_id: id,
    sheet_id: sub.id,
    row,
    col,
    resolved: resolved === true,
    is_note: note === true,
    entries: entries.map((one) => ({ entry_id: one.id, author: one.author, time: one.at, text: one.text })),
  };
}
