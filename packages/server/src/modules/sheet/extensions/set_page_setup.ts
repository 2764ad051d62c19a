import { invalid } from '../errors.ts';
import { formatSheetPrefix } from '../calls/address.ts';
import { worksheetWriteTool, type WriteValues } from '../calls/tool.ts';
import type { PageSetup, SheetDocument, SubSheet } from '@sheaf/engine/internal/document';
import { parseRect, rectName } from '@sheaf/engine';
import { defineName, type Mutation, removeName, setSetup } from '@sheaf/engine/internal/mutations';
import { printAreaName, pageSetupFields, type pageOptions, printTitlesName } from '../objects/page-setup.ts';
import { dropUndefined } from '../objects/range-objects.ts';
import { sheetField } from '../schema.ts';

const input = { ...sheetField, ...pageSetupFields };
type Given = WriteValues<typeof input>;

export const set_page_setup = worksheetWriteTool({
  name: 'set_page_setup',
  summary: 'Sets how a sub-sheet is printed; fields not sent are unchanged.',
  idempotent: true,
  input: pageSetupFields,
  plan(document, sub, given) {
    if (given.scale !== undefined && given.fit !== undefined) throw invalid('scale: cannot be sent together with fit');
    const { page: before, ...rest } = sub.setup;
    const page = pageFor(given, before ?? {});
    const setup = dropUndefined({ ...rest, ...(Object.keys(page).length > 0 ? { page } : {}) });
    return {
      mutations: [
        setSetup.of({ sheet: sub.id, setup }),
        ...named(document, sub, printAreaName, areaFor(sub, given)),
        ...named(document, sub, printTitlesName, titlesFor(sub, given)),
      ],
    };
  },
});

function pageFor(given: Given, before: PageSetup): PageSetup {
  const [, across, down] = /^(\d{1,3})x(\d{1,3})$/i.exec(given.fit ?? '') ?? [];
  if (given.fit !== undefined && across === undefined)
    throw invalid(`fit: must be two numbers like 1x0 (got ${JSON.stringify(given.fit)})`);
  const { orientation, paper, scale, header, footer } = given;
  const has = (option: (typeof pageOptions)[number], had: boolean | undefined): boolean | undefined =>
    given.options?.includes(option) ?? had;
  return dropUndefined({
    ...before,
    ...dropUndefined({ orientation, paper, scale, header, footer }),
    fit: across === undefined ? (given.scale === undefined ? before.fit : false) : true,
    fitWidth: across === undefined ? before.fitWidth : Number(across),
    fitHeight: down === undefined ? before.fitHeight : Number(down),
    margins: given.margins ? { ...before.margins, ...given.margins } : before.margins,
    gridlines: has('gridlines', before.gridlines),
    headings: has('headings', before.headings),
    centerAcross: has('center_across', before.centerAcross),
    centerDown: has('center_down', before.centerDown),
  }) as PageSetup;
}

/**
 * Returns the formula, such as `=Sheet1!$A$1:$D$9`, of the defined name that stores the print area of the sub-sheet. An
 * empty text means that the name is removed, and undefined that it stays unchanged.
 */
function areaFor(sub: SubSheet, { print_area: given }: Given): string | undefined {
  if (given === undefined || given === '') return given;
  const ranges = given.split(',').map((one) => {
    const rect = parseRect(one.trim().replaceAll('$', '').toUpperCase());
    if (!rect) throw invalid(`print_area: must be A1 ranges of the sub-sheet (got ${JSON.stringify(one)})`);
    return formatSheetPrefix(sub) + rectName(rect).replaceAll(/([A-Z]+)(\d+)/g, '$$$1$$$2');
  });
  return ranges.length === 1 ? `=${ranges[0]}` : `=(${ranges.join(',')})`;
}

function titlesFor(sub: SubSheet, { titles: given }: Given): string | undefined {
  if (given === undefined || given === '') return given;
  const parts = given
    .replaceAll('$', '')
    .toUpperCase()
    .split(',')
    .map((one) => {
      const [, first, last] = /^\s*([A-Z]{1,3}):([A-Z]{1,3})\s*$/.exec(one) ?? [];
      const [, top, bottom] = /^\s*([1-9]\d{0,6}):([1-9]\d{0,6})\s*$/.exec(one) ?? [];
      if (first === undefined && top === undefined)
        throw invalid(`titles: must be like A:A,1:2 (got ${JSON.stringify(given)})`);
      return { isRows: top !== undefined, range: `${formatSheetPrefix(sub)}$${top ?? first}:$${bottom ?? last}` };
    });
  // Sort the title columns before the title rows, as other programs expect.
  const ranges = parts.sort((a, b) => Number(a.isRows) - Number(b.isRows)).map(({ range }) => range);
  return ranges.length === 1 ? `=${ranges[0]}` : `=(${ranges.join(',')})`;
}

function named(document: SheetDocument, sub: SubSheet, name: string, formula: string | undefined): Mutation[] {
  if (formula === undefined) return [];
  const before = document.names().find((one) => one.sheet === sub.id && one.name.toUpperCase() === name.toUpperCase());
  if (formula === '') return before ? [removeName.of({ name: before.name, sheet: sub.id })] : [];
  return before?.formula === formula ? [] : [defineName.of({ name, sheet: sub.id, formula })];
}
