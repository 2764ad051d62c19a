import { z } from 'zod';
import { fail } from '../../../kernel/errors.ts';
import { flag, integer, list, oneOf, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { RawJson } from '../../../kernel/raw-json.ts';
import { mediaNumber } from '@sheaf/client/media-types';
import type { Item } from '../../../ports/wiki-store.ts';
import { rethrowDocumentError } from '../document-errors.ts';
import { requireItem } from '../permissions.ts';
import { mediaId } from '../schema.ts';

const place = z.record(z.string(), z.number()).meta({ description: 'Position, as in sheet.get_charts.' });

const chart = z.object({
  drawing_id: text('Its id.'),
  chart_type: text('Its type.'),
  title: text('Its title.'),
  location: place,
  content: text('What it is drawn from, as JSON: data, options and type, as sheet.render_chart returns it.'),
});

const image = z.object({
  object_id: text('Its id.'),
  name: text('Its name.'),
  location: place,
  url: text('The image as a data URL.'),
  content_type: text('Media type.'),
});

const sheet = z.object({
  sheet_id: text('Its id in this answer.'),
  sheet_name: text('Its name.'),
  tab_color: text('RRGGBB or AARRGGBB; absent if none.').optional(),
  used_rows: integer('Rows up to the last value.'),
  used_cols: integer('Columns up to the last value.'),
  shown_rows: integer('Rows in view.'),
  shown_cols: integer('Columns in view.'),
  is_cut: flag('Whether values are left out.'),
  view: z.record(z.string(), z.unknown()).meta({
    description: 'Cells, looks, merges, links and layout from A1 on, as sheet.get_view returns them with layout.',
  }),
  charts: list('Its charts.', chart),
  images: list('Its images.', image),
  kept: z.record(z.string(), z.unknown()).meta({
    description: 'Controls, shapes and pictures in cells, as sheet.get_kept_objects returns them.',
  }),
});

const formats = ['xlsx', 'xls', 'csv'] as const;

export const view_workbook = operation({
  summary:
    'Returns a workbook item (xlsx, xls, csv) as it looks: visible sub-sheets with displayed values, formulas, styles, ' +
    'charts and images, up to 2000 rows and 100 columns each and 100000 cells. For the text use get_knowledge_content.',
  effect: 'read',
  isLong: true,
  input: {
    media_id: mediaId(),
    sheet_name: text('Only this sub-sheet.', { min: 1, max: 255 }).optional(),
    max_rows: integer('Rows of each. Default: 2000.', { min: 1, max: 2000 }).optional(),
  },
  output: {
    media_id: text('The item.'),
    title: text('Its title.'),
    format: oneOf('What it is.', formats),
    sheets: list('Visible sub-sheets, in tab order.', sheet),
  },
  async run({ media_id: id, sheet_name: sheetName, max_rows: maxRows }, context) {
    const { item } = await requireItem(context, id, 'view');
    const format = formatOf(item);
    const view = await context.documents
      .view(context, { format, blobKey: item.blobKey }, { sheetName, maxRows })
      .catch(rethrowDocumentError);
    if (!view) throw fail('invalid_parameter', 'media_id: the file no longer exists; upload it again');
    // Insert the item's fields at the start of the JSON object in `view`, without parsing it.
    const head = JSON.stringify({ media_id: item.id, title: item.title, format }).slice(0, -1);
    return new RawJson(Buffer.concat([Buffer.from(`${head},`), view.subarray(1)]));
  },
});

function formatOf({ mediaType, kind, blobKey, title }: Item): (typeof formats)[number] {
  const format = formats.find((one) => one === kind);
  if (mediaType !== mediaNumber.excel || !format || blobKey === '')
    throw fail(
      'invalid_parameter',
      `media_id: must be a workbook (xlsx, xls or csv); ${JSON.stringify(title)} has media_type ${mediaType}`,
    );
  return format;
}
