import { z } from 'zod';
import { keptObjectKinds } from '@sheaf/files/xlsx/kept-objects';
import { flag, integer, list, text } from '../../../kernel/field-schemas.ts';
import { worksheetReadTool } from '../calls/tool.ts';
import { locationField } from '../charts/chart-location.ts';
import { createHiddenTest } from '../reading/redacted-view.ts';
import { readKeptObjects } from '../objects/kept-objects.ts';
import { colField, rowField } from '../schema.ts';

export const get_kept_objects = worksheetReadTool({
  name: 'get_kept_objects',
  summary:
    'Lists what a sub-sheet shows of an imported file though it cannot be edited here: form controls, shapes, embedded ' +
    'objects, pictures in cells.',
  input: {
    shown_only: flag('Whether to leave out what stands in hidden rows and columns.').optional(),
  },
  output: {
    objects: list(
      'Objects over the cells.',
      z.object({
        kind: z.enum(keptObjectKinds).meta({ description: 'What it is; `embedded` is an OLE object.' }),
        name: text('Its name in the file.'),
        text: text('Text that it shows, or "".'),
        location: locationField.meta({ description: 'Position.' }),
      }),
    ),
    pictures: list('Pictures that cells show, as `data:` addresses, up to 4 MiB together.', z.string()),
    cells: list(
      'Cells that show a picture or a rich value instead of their value.',
      z.object({
        row_index: rowField('Row.'),
        col_index: colField('Column.'),
        text: text('Alternative text of the picture, or what the rich value shows.'),
        picture: integer('Index in `pictures`; absent where there is none.', { min: 0 }).optional(),
      }),
    ),
  },
  read(document, sub, input) {
    const isHidden = input.shown_only ? createHiddenTest(sub) : undefined;
    return readKeptObjects(document, sub, isHidden && ((row, col) => !isHidden(row, col)));
  },
});
