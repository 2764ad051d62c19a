import { z } from 'zod';
import { fail } from '../operation/errors.ts';
import { text } from '../operation/fields.ts';
import type { Guest, PublicReads } from '../operation/module.ts';
import type { AnyOperation } from '../operation/operation.ts';
import { parseBySchema } from '../operation/parse.ts';
import { noSuchLink } from '../operation/public-door.ts';
import { RawJson } from '../operation/raw-json.ts';
import { find_edge } from './extensions/find_edge.ts';
import { get_images } from './extensions/get_images.ts';
import { get_view } from './extensions/get_view.ts';
import { list_objects } from './extensions/list_objects.ts';
import { render_chart } from './extensions/render_chart.ts';
import { get_charts } from './operations/get_charts.ts';
import { get_sheet_info } from './operations/get_sheet_info.ts';

interface Sheet {
  sheet_id: string;
  sheet_name: string;
  sheet_type: string;
  row_count: number;
  col_count: number;
  tab_color?: string;
}

/** Link schemes that a public visitor may open; other links are left out. */
const openable = /^(https?:\/\/|mailto:)/i;

const sheetField = { sheet_id: text('Sub-sheet.', { min: 1, max: 64 }) };

/**
 * What a public link shows: displayed values with styles, charts and images of visible sub-sheets. No formulas,
 * history, comments, user names or hidden sub-sheets, rows and columns. The document is given by the link; input fields
 * that name one are ignored.
 */
export const publicReads: PublicReads = {
  async open(_input, guest) {
    const { context, link } = guest;
    const { document } = await context.documents.access(context, link.documentId, 'viewer').catch(asNoLink);
    return {
      title: document.title,
      version: document.version,
      expire_time: link.expiresAt ?? 0,
      sheets: await shownSheets(guest),
    };
  },

  async get_view(input, guest) {
    const asked = parseBySchema(get_view.input, await onShown(input, guest));
    const { links, ...view } = await ask<{ links: [number, number, string][] }>(guest, get_view, {
      ...asked,
      shown_only: true,
    });
    return { ...view, links: links.filter(([, , address]) => openable.test(address)) };
  },

  async find_edge(input, guest) {
    const asked = parseBySchema(find_edge.input, await onShown(input, guest));
    return ask(guest, find_edge, { ...asked, shown_only: true });
  },

  async get_charts(input, guest) {
    const given = parseBySchema(z.object(sheetField), await onShown(input, guest));
    const { charts } = await ask<{ charts: Record<string, unknown>[] }>(guest, get_charts, given);
    return {
      charts: charts.map(({ drawing_id, chart_type, title, location }) => ({
        drawing_id,
        chart_type,
        title,
        location,
        options_json: '{}',
      })),
    };
  },

  async render_chart(input, guest) {
    const given = parseBySchema(
      z.object({ ...sheetField, drawing_id: text('The chart.', { min: 1, max: 128 }) }),
      await onShown(input, guest),
    );
    return ask(guest, render_chart, { ...given, format: 'data' });
  },

  async get_images(input, guest) {
    return ask(guest, get_images, parseBySchema(z.object(sheetField), await onShown(input, guest)));
  },
};

/** Answers for a deleted document as for an unknown link, so that visitors do not learn about the deletion. */
function asNoLink(error: unknown): never {
  throw (error as { word?: string }).word === 'no_such_file' ? noSuchLink() : error;
}

async function ask<Answer = Record<string, unknown>>(
  { context, link }: Guest,
  tool: AnyOperation,
  input: Record<string, unknown>,
): Promise<Answer> {
  const given = { ...input, file_id: link.documentId, file_url: undefined } as never;
  const answer = await tool.run(given, context).catch(asNoLink);
  return (answer instanceof RawJson ? answer.parse() : answer) as Answer;
}

async function shownSheets(guest: Guest): Promise<Sheet[]> {
  const [{ sheets }, { sheets: properties }] = await Promise.all([
    ask<{ sheets: Sheet[] }>(guest, get_sheet_info, {}),
    ask<{ sheets: { sheet_id: string; visibility?: string; tab_color?: string }[] }>(guest, list_objects, {
      object_types: ['sheet'],
    }),
  ]);
  const known = new Map(properties.map((one) => [one.sheet_id, one]));
  return sheets
    .filter(({ sheet_id }) => (known.get(sheet_id)?.visibility ?? 'visible') === 'visible')
    .map((one) => ({ ...one, tab_color: known.get(one.sheet_id)?.tab_color }));
}

/** Checks that the input names a visible sub-sheet. Only by id, because a name could match a hidden one. */
async function onShown(input: Record<string, unknown>, guest: Guest): Promise<Record<string, unknown>> {
  const { sheet_id: id } = input;
  const isShown = (await shownSheets(guest)).some((one) => one.sheet_id === id);
  if (!isShown)
    throw fail('no_such_sheet', `sheet_id: there is no sub-sheet ${JSON.stringify(String(id).slice(0, 64))}`);
  return input;
}
