import type { Client } from '@sheaf/client';
import { AuthorNames } from '../../sheets/author-names.ts';
import { SheetSession, type Tab, type ToolInput, type ToolName, type ToolOutput } from '../../sheets/sheet-session.ts';
import { SheetOutbox } from '../../sheets/sheet-outbox.ts';

export type Workbook = Awaited<ReturnType<Client['wiki']['view_workbook']>>;
type View = ToolOutput<'get_view'> & { readonly layout: NonNullable<ToolOutput<'get_view'>['layout']> };
/**
 * A sub-sheet (a tab of the workbook) as the API operation `view_workbook` returns it. Its view, charts, images and
 * kept objects (such as shapes, which cannot be edited) have the same types as in the sheet editor.
 */
type Sheet = Omit<Workbook['sheets'][number], 'view' | 'charts' | 'images' | 'kept'> & {
  readonly view: View;
  readonly charts: readonly (Omit<ToolOutput<'get_charts'>['charts'][number], 'options_json'> & { content: string })[];
  readonly images: ToolOutput<'get_images'>['images'];
  readonly kept: ToolOutput<'get_kept_objects'>;
};
type Region = Pick<ToolInput<'get_view'>, 'start_row' | 'start_col' | 'end_row' | 'end_col'>;
type ToolHandlers = { readonly [Name in ToolName]?: (sheet: Sheet, input: ToolInput<Name>) => ToolOutput<Name> };

/**
 * Minimum grid size. It equals the size of a new sub-sheet, so that a small workbook looks the same as in the sheet
 * editor.
 */
const minRows = 200;
const minCols = 26;

/**
 * Read-only data source of the spreadsheet grid for a workbook in a knowledge base. The whole workbook is loaded once.
 * The grid's API calls are answered from memory instead of by the server.
 */
export class WorkbookSession extends SheetSession {
  readonly #sheets: ReadonlyMap<string, Sheet>;
  /**
   * Positions of the non-empty cells of each sub-sheet, by sub-sheet id. A position is stored as one number: row *
   * number of columns + column. The set of a sub-sheet is built at its first `find_edge` call.
   */
  readonly #filled = new Map<string, ReadonlySet<number>>();

  constructor(workbook: Workbook) {
    const name = `workbook/${workbook.media_id}`;
    const sheets = workbook.sheets as unknown as readonly Sheet[];
    const tabs = sheets.map(tabOf);
    super(
      name,
      { title: workbook.title, role: 'viewer' },
      0,
      tabs,
      tabs[0]!.id,
      new AuthorNames('', '', []),
      new SheetOutbox('', name),
    );
    this.#sheets = new Map(sheets.map((sheet) => [sheet.sheet_id, sheet]));
  }

  sheet(tab: string): Sheet {
    return this.#sheets.get(tab)!;
  }

  override truncatedAxes(tab: string): { rows: boolean; cols: boolean } {
    return truncatedAxes(this.sheet(tab));
  }

  override async read<Name extends ToolName>(tool: Name, input: ToolInput<Name>): Promise<ToolOutput<Name>> {
    const answer = this.#answers[tool] as ((sheet: Sheet, input: ToolInput<Name>) => ToolOutput<Name>) | undefined;
    const sheet = this.#sheets.get((input as { sheet_id?: string }).sheet_id ?? '');
    if (!answer || !sheet) throw new Error(`${tool}: a file that is only looked at has none of it`);
    return answer(sheet, input);
  }

  /** Does nothing, because the tabs of the workbook never change. */
  override async readTabs(): Promise<void> {}

  readonly #answers: ToolHandlers = {
    get_view: (sheet, input) => ({
      ...clipView(sheet.view, input),
      ...(input.layout ? { layout: layoutOf(sheet) } : {}),
    }),
    find_edge: (sheet, input) => this.#edge(sheet, input),
    get_charts: ({ charts }) => ({ charts: charts.map((chart) => ({ ...chart, options_json: '{}' })) }),
    render_chart: ({ charts }, { drawing_id: id }) => {
      const { content, location } = charts.find((chart) => chart.drawing_id === id)!;
      const { width = 0, height = 0 } = location;
      return { content_type: 'application/json', content, width, height };
    },
    get_images: ({ images }) => ({ images, expired_time: 0 }),
    get_kept_objects: ({ kept }) => kept,
  };

  /**
   * Returns the cell to which Ctrl with an arrow key moves, as the API operation `find_edge` does on the server. This
   * is the last of the adjacent non-empty cells in that direction. If there are none, it is the next non-empty cell, or
   * else the cell at the edge of the sheet.
   */
  #edge(sheet: Sheet, { row, col, direction }: ToolInput<'find_edge'>): { row: number; col: number } {
    const { rows, cols } = layoutOf(sheet);
    let filled = this.#filled.get(sheet.sheet_id);
    if (!filled) {
      filled = new Set(sheet.view.cells.map(([r, c]) => r * cols + c));
      this.#filled.set(sheet.sheet_id, filled);
    }
    const known = filled;
    const [down, right] = steps[direction];
    const isInside = (r: number, c: number): boolean => r >= 0 && c >= 0 && r < rows && c < cols;
    const isFilled = (r: number, c: number): boolean => isInside(r, c) && known.has(r * cols + c);
    let at = { row, col };
    const isNextInside = (): boolean => isInside(at.row + down, at.col + right);
    const isNextFilled = (): boolean => isFilled(at.row + down, at.col + right);
    const go = (): void => {
      at = { row: at.row + down, col: at.col + right };
    };
    if (!isNextInside()) return at;
    if (isFilled(row, col) && isNextFilled()) {
      while (isNextFilled()) go();
      return at;
    }
    do go();
    while (!isFilled(at.row, at.col) && isNextInside());
    return at;
  }
}

const steps = { up: [-1, 0], down: [1, 0], left: [0, -1], right: [0, 1] } as const;

function truncatedAxes(sheet: Sheet): { rows: boolean; cols: boolean } {
  return { rows: sheet.used_rows > sheet.shown_rows, cols: sheet.used_cols > sheet.shown_cols };
}

function layoutOf(sheet: Sheet): View['layout'] {
  const { layout } = sheet.view;
  const further = truncatedAxes(sheet);
  return {
    ...layout,
    rows: further.rows ? layout.rows : Math.max(layout.rows, minRows),
    cols: further.cols ? layout.cols : Math.max(layout.cols, minCols),
  };
}

function tabOf(sheet: Sheet): Tab {
  const { rows, cols } = layoutOf(sheet);
  return {
    id: sheet.sheet_id,
    name: sheet.sheet_name,
    type: 'worksheet',
    rows,
    cols,
    isHidden: false,
    color: sheet.tab_color?.slice(-6),
  };
}

function clipView(view: View, region: Region): ToolOutput<'get_view'> {
  const { start_row: top, start_col: left, end_row: bottom, end_col: right } = region;
  const isIn = (row: number, col: number): boolean => row >= top && row <= bottom && col >= left && col <= right;
  const here = <At extends { row: number; col: number }>(list: readonly At[] | undefined): At[] | undefined =>
    list?.filter(({ row, col }) => isIn(row, col));
  return {
    version: view.version,
    cells: view.cells.filter(([row, col]) => isIn(row, col)),
    styles: view.styles
      .filter(([col, first, last]) => col >= left && col <= right && first <= bottom && last >= top)
      .map(([col, first, last, look]) => [col, Math.max(first, top), Math.min(last, bottom), look]),
    looks: view.looks,
    merges: view.merges.filter((one) => one[0] <= bottom && one[2] >= top && one[1] <= right && one[3] >= left),
    links: view.links.filter(([row, col]) => isIn(row, col)),
    colours: view.colours?.filter(([row, col]) => isIn(row, col)),
    rich: here(view.rich),
    formats: here(view.formats),
    tables: view.tables,
  };
}
