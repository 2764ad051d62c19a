import { sheetField } from './schema.ts';
import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { text } from '../../kernel/field-schemas.ts';
import type { PublicLinkGuest, PublicReads } from '../../kernel/module.ts';
import type { AnyOperation } from '../../kernel/operation.ts';
import { parseBySchema } from '../../kernel/parse-input.ts';
import { linkNotFoundError } from '../../kernel/public-link-invoker.ts';
import { RawJson } from '../../kernel/raw-json.ts';
import { find_edge } from './extensions/find_edge.ts';
import { get_images } from './extensions/get_images.ts';
import { get_kept_objects } from './extensions/get_kept_objects.ts';
import { get_view } from './extensions/get_view.ts';
import { list_objects } from './extensions/list_objects.ts';
import { render_chart } from './extensions/render_chart.ts';
import { get_charts } from './operations/get_charts.ts';
import { get_sheet_info } from './operations/get_sheet_info.ts';

type Sheet = z.input<typeof get_sheet_info.output>['sheets'][number] & { tab_color?: string };

/**
 * Matches URLs of links that a visitor with a public link may open. Links with other schemes are left out of the
 * answer.
 */
const allowedLinkSchemes = /^(https?:\/\/|mailto:)/i;

/**
 * Operations available through a public link. They return displayed values, styles, charts and images of visible
 * sub-sheets, but no formulas, history, comments, user names, or hidden rows and columns. The link determines the
 * document; input fields that name a document are ignored.
 */
export const publicReads: PublicReads = {
  async open(_input, guest) {
    const { context, link } = guest;
    const { document } = await context.documents.access(context, link.targetId, 'viewer').catch(toNoSuchLink);
    return {
      title: document.title,
      version: document.version,
      expire_time: link.expiresAt ?? 0,
      sheets: await listVisibleSheets(guest),
    };
  },

  async get_view(input, guest) {
    const asked = parseBySchema(get_view.input, await requireVisibleSheet(input, guest));
    const { links, ...view } = await runTool<{ links: [number, number, string][] }>(guest, get_view, {
      ...asked,
      shown_only: true,
    });
    return { ...view, links: links.filter(([, , address]) => allowedLinkSchemes.test(address)) };
  },

  async find_edge(input, guest) {
    const asked = parseBySchema(find_edge.input, await requireVisibleSheet(input, guest));
    return runTool(guest, find_edge, { ...asked, shown_only: true });
  },

  async get_charts(input, guest) {
    const given = parseBySchema(z.object(sheetField), await requireVisibleSheet(input, guest));
    const { charts } = await runTool<{ charts: Record<string, unknown>[] }>(guest, get_charts, given);
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
      await requireVisibleSheet(input, guest),
    );
    return runTool(guest, render_chart, { ...given, format: 'data' });
  },

  async get_images(input, guest) {
    return runTool(guest, get_images, parseBySchema(z.object(sheetField), await requireVisibleSheet(input, guest)));
  },

  async get_kept_objects(input, guest) {
    const given = parseBySchema(z.object(sheetField), await requireVisibleSheet(input, guest));
    return runTool(guest, get_kept_objects, { ...given, shown_only: true });
  },
};

/**
 * Throws a caught error again. Reports a deleted document as an unknown link, so that visitors cannot find out that it
 * was deleted.
 */
function toNoSuchLink(error: unknown): never {
  throw (error as { word?: string }).word === 'no_such_file' ? linkNotFoundError() : error;
}

async function runTool<Answer = Record<string, unknown>>(
  { context, link }: PublicLinkGuest,
  tool: AnyOperation,
  input: Record<string, unknown>,
): Promise<Answer> {
  const given = { ...input, file_id: link.targetId, file_url: undefined } as never;
  const answer = await tool.run(given, context).catch(toNoSuchLink);
  return (answer instanceof RawJson ? answer.parse() : answer) as Answer;
}

async function listVisibleSheets(guest: PublicLinkGuest): Promise<Sheet[]> {
  const [{ sheets }, { sheets: properties }] = await Promise.all([
    runTool<{ sheets: Sheet[] }>(guest, get_sheet_info, {}),
    runTool<{ sheets: { sheet_id: string; visibility?: string; tab_color?: string }[] }>(guest, list_objects, {
      object_types: ['sheet'],
    }),
  ]);
  const known = new Map(properties.map((one) => [one.sheet_id, one]));
  return sheets
    .filter(({ sheet_id }) => (known.get(sheet_id)?.visibility ?? 'visible') === 'visible')
    .map((one) => ({ ...one, tab_color: known.get(one.sheet_id)?.tab_color }));
}

/**
 * Throws unless the input names a visible sub-sheet by id. Sub-sheet names are refused, because a name could be that of
 * a hidden sub-sheet.
 */
async function requireVisibleSheet(
  input: Record<string, unknown>,
  guest: PublicLinkGuest,
): Promise<Record<string, unknown>> {
  const { sheet_id: id } = input;
  const isShown = (await listVisibleSheets(guest)).some((one) => one.sheet_id === id);
  if (!isShown)
    throw fail('no_such_sheet', `sheet_id: there is no sub-sheet ${JSON.stringify(String(id).slice(0, 64))}`);
  return input;
}
