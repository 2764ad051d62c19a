import { z } from 'zod';
import { fail } from '../../operation/errors.ts';
import { sheetPrefix } from '../calls/address.ts';
import { worksheetOf } from '../calls/lookup.ts';
import { writeTool } from '../calls/tool.ts';
import type { PageSetup, SheetDocument, SubSheet } from '../engine/document.ts';
import { parseRect, rectName } from '../engine/index.ts';
import { defineName, type Mutation, removeName, setSetup } from '../engine/mutations.ts';
import { areaFields, areaName, pageFields, pageReply, titlesName } from '../parts/page-setup.ts';
import { plain } from '../parts/marks.ts';
import { changesField, done, fileFields, sheetField } from '../schema.ts';

const input = z.object({ ...fileFields, ...sheetField, ...pageFields, ...areaFields, ...changesField });
type Given = z.output<typeof input>;

export const set_page_setup = writeTool({
  name: 'set_page_setup',
  summary: 'Sets how a sub-sheet is printed; fields not sent are unchanged. list_objects tells it with sheet.',
  idempotent: true,
  input,
  output: done,
  plan(document, given) {
    const sub = worksheetOf(document, given.sheet_id);
    if (given.scale !== undefined && (given.fit_width !== undefined || given.fit_height !== undefined))
      throw fail('invalid_parameter', 'scale: cannot be sent together with fit_width or fit_height');
    const { page: before, ...rest } = sub.setup;
    const page = pageFor(given, before ?? {});
    const setup = plain({ ...rest, ...(Object.keys(page).length > 0 ? { page } : {}) });
    return {
      mutations: [
        setSetup.of({ sheet: sub.id, setup }),
        ...named(document, sub, areaName, areaFor(sub, given)),
        ...named(document, sub, titlesName, titlesFor(document, sub, given)),
      ],
    };
  },
});

function pageFor(given: Given, before: PageSetup): PageSetup {
  const fits = given.fit_width !== undefined || given.fit_height !== undefined;
  return plain({
    ...before,
    orientation: given.orientation ?? before.orientation,
    paper: given.paper ?? before.paper,
    scale: given.scale ?? before.scale,
    fit: fits ? true : given.scale === undefined ? before.fit : false,
    fitWidth: given.fit_width ?? before.fitWidth,
    fitHeight: given.fit_height ?? before.fitHeight,
    margins: given.margins ? { ...before.margins, ...given.margins } : before.margins,
    header: given.header ?? before.header,
    footer: given.footer ?? before.footer,
    gridlines: given.print_gridlines ?? before.gridlines,
    headings: given.print_headings ?? before.headings,
    centerAcross: given.center_horizontally ?? before.centerAcross,
    centerDown: given.center_vertically ?? before.centerDown,
  }) as PageSetup;
}

/** What the name is to stand for; empty when it is to go, undefined when it stays as it is. */
function areaFor(sub: SubSheet, { print_area: given }: Given): string | undefined {
  if (given === undefined || given === '') return given;
  const ranges = given.split(',').map((one) => {
    const rect = parseRect(one.trim().replaceAll('$', '').toUpperCase());
    if (!rect)
      throw fail('invalid_parameter', `print_area: must be A1 ranges of the sub-sheet (got ${JSON.stringify(one)})`);
    return sheetPrefix(sub) + rectName(rect).replaceAll(/([A-Z]+)(\d+)/g, '$$$1$$$2');
  });
  return ranges.length === 1 ? `=${ranges[0]}` : `=(${ranges.join(',')})`;
}

function titlesFor(document: SheetDocument, sub: SubSheet, given: Given): string | undefined {
  if (given.title_rows === undefined && given.title_cols === undefined) return undefined;
  const known = pageReply(document, sub);
  const part = (field: 'title_rows' | 'title_cols', pattern: RegExp): string[] => {
    const wanted = (given[field] ?? String(known[field] ?? '')).trim().replaceAll('$', '').toUpperCase();
    if (wanted === '') return [];
    const [, first, last] = pattern.exec(wanted) ?? [];
    if (first === undefined)
      throw fail(
        'invalid_parameter',
        `${field}: must be like ${field === 'title_rows' ? '1:2' : 'A:B'} (got ${JSON.stringify(given[field])})`,
      );
    return [`${sheetPrefix(sub)}$${first}:$${last}`];
  };
  const parts = [
    ...part('title_cols', /^([A-Z]{1,3}):([A-Z]{1,3})$/),
    ...part('title_rows', /^([1-9]\d{0,6}):([1-9]\d{0,6})$/),
  ];
  return parts.length === 0 ? '' : parts.length === 1 ? `=${parts[0]}` : `=(${parts.join(',')})`;
}

function named(document: SheetDocument, sub: SubSheet, name: string, formula: string | undefined): Mutation[] {
  if (formula === undefined) return [];
  const before = document.names().find((one) => one.sheet === sub.id && one.name.toUpperCase() === name.toUpperCase());
  if (formula === '') return before ? [removeName.of({ name: before.name, sheet: sub.id })] : [];
  return before?.formula === formula ? [] : [defineName.of({ name, sheet: sub.id, formula })];
}
