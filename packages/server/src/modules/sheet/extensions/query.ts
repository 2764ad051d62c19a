import { z } from 'zod';
import { integer, list, text } from '../../../kernel/field-schemas.ts';
import { readTool } from '../calls/tool.ts';
import { toGridValue } from '../cells/grid-value.ts';
import { runQueryText } from '../query/run-query-text.ts';
import { charactersPerToken, defaultSheetField, tokensField, defaultMaxTokens } from '../schema.ts';

const answerOverhead = 100;
const maxRows = 10_000;

export const query = readTool({
  name: 'query',
  summary:
    'Runs a SELECT (join, group by, subqueries, windows) over ranges and sub-sheets by heading or column ' +
    "letter. Case is ignored; dates as '2026-05-01'. write puts a result into cells.\nExample: " +
    '{"query":"select region, sum(score) as total from Sales!A1:D201 group by region"}',
  input: {
    query: text('The first row of a range is its headings.', { min: 1, max: 10_000 }),
    ...defaultSheetField,
    offset: integer('next_offset of the previous answer.', { min: 0 }).optional(),
    ...tokensField(defaultMaxTokens),
  },
  output: {
    columns: list('Names of the columns.', text('A name.')),
    rows: list('The rows.', z.array(z.union([z.string(), z.number(), z.boolean()]))),
    row_count: integer('Number of rows in all.'),
    next_offset: integer('Offset of the next part; absent after the last.').optional(),
  },
  read(document, input) {
    const skip = input.offset ?? 0;
    const { columns, rows, total } = runQueryText(document, input.query, {
      sheet: input.sheet_id,
      most: maxRows,
      skip,
    });
    let left =
      (input.max_tokens ?? defaultMaxTokens) * charactersPerToken - answerOverhead - JSON.stringify(columns).length / 2;
    const shown: (string | number | boolean)[][] = [];
    for (const row of rows) {
      const cells = row.map((value, index) => toGridValue(value, columns[index]!.pattern));
      left -= JSON.stringify(cells).length + 1;
      if (left < 0 && shown.length > 0) break;
      shown.push(cells);
    }
    return {
      columns: columns.map(({ name }) => name),
      rows: shown,
      row_count: total,
      ...(skip + shown.length < total ? { next_offset: skip + shown.length } : {}),
    };
  },
});
