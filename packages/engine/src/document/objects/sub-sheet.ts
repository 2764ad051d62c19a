import type { Rect } from '../../base/address.ts';
import type { IndexedSheet } from '../../store/indexed-sheet.ts';
import { CellMap } from './cell-map.ts';
import type { PassthroughElement, SheetSetup } from './passthrough.ts';
import type { Comment, ConditionalFormat, RangeObjectLists, Table, Validation } from './range-objects.ts';
import { Merges } from './merges.ts';
import type { Chart, Filter, FloatImage, Freeze, Link, Protection, RichText, SheetType } from './sheet-objects.ts';
import { contains, meets, rectOf, regionOf, type Region } from './rect.ts';
import { Runs, type Run } from './run-length.ts';
import { StyleGrid } from './styles.ts';

export const newRows = 200;
export const newCols = 26;

/** State of a sub-sheet as plain data, except the cells' contents and styles. */
export interface SubSheetState extends RangeObjectLists {
  readonly size: readonly [rows: number, cols: number];
  readonly merges: readonly Region[];
  readonly rowSizes: readonly Run[];
  readonly colSizes: readonly Run[];
  readonly hiddenRows: readonly Run[];
  readonly hiddenCols: readonly Run[];
  readonly freeze: Freeze;
  readonly links: readonly (readonly [row: number, col: number, link: Link])[];
  readonly rich: readonly (readonly [row: number, col: number, text: RichText])[];
  readonly filters: readonly Filter[];
  readonly images: readonly FloatImage[];
  readonly charts: readonly Chart[];
  readonly protections: readonly Protection[];
  readonly rowGroups: readonly Run[];
  readonly colGroups: readonly Run[];
  readonly setup: SheetSetup;
  readonly carried: readonly PassthroughElement[];
  readonly rowSources: readonly Run[];
  readonly colSources: readonly Run[];
}

/** A sub-sheet (a tab of the document): its cells, their styles, and the objects on it. */
export class SubSheet {
  /** Id of the sub-sheet; the API calls it `sheet_id`. */
  readonly id: string;
  readonly type: SheetType;
  readonly sheet: IndexedSheet;
  rows = newRows;
  cols = newCols;
  readonly styles = new StyleGrid();
  readonly merges = new Merges();
  /** Row heights in points and column widths in pixels; 0 means the default size. */
  rowSizes = new Runs();
  colSizes = new Runs();
  /** Rows and columns hidden by the user; filters store their hidden rows themselves. */
  hiddenRows = new Runs();
  hiddenCols = new Runs();
  freeze: Freeze = { rows: 0, cols: 0 };
  readonly links = new CellMap<Link>();
  readonly rich = new CellMap<RichText>();
  filters: readonly Filter[] = [];
  images: readonly FloatImage[] = [];
  charts: readonly Chart[] = [];
  protections: readonly Protection[] = [];
  /** Outline level of each row or column. At the position after a collapsed group, 8 is added to the level. */
  rowGroups = new Runs();
  colGroups = new Runs();
  setup: SheetSetup = {};
  /** XML elements of the imported sheet for which the document has no fields. An export writes them back. */
  carried: readonly PassthroughElement[] = [];
  /**
   * XML attributes of the rows and columns in the imported file, which an export writes back. Each value is a number in
   * `KeptBook.words`, counted from 1; 0 means none.
   */
  rowSources = new Runs();
  colSources = new Runs();
  /** Conditional formats in order of precedence. */
  formats: readonly ConditionalFormat[] = [];
  validations: readonly Validation[] = [];
  comments: readonly Comment[] = [];
  tables: readonly Table[] = [];
  #filtered: { of: readonly Filter[]; runs: Runs } | undefined;

  constructor(id: string, type: SheetType, sheet: IndexedSheet) {
    this.id = id;
    this.type = type;
    this.sheet = sheet;
  }

  get name(): string {
    return this.sheet.name;
  }

  get grid(): Rect {
    return { top: 0, left: 0, bottom: this.rows - 1, right: this.cols - 1 };
  }

  filteredRows(): Runs {
    if (this.#filtered?.of !== this.filters) {
      const runs = new Runs();
      for (const filter of this.filters) for (const [first, last] of filter.hidden) runs.set(first, last, 1);
      this.#filtered = { of: this.filters, runs };
    }
    return this.#filtered.runs;
  }

  isRowHidden(row: number): boolean {
    return this.hiddenRows.get(row) !== 0 || this.filteredRows().get(row) !== 0;
  }

  filterAt(row: number, col: number): Filter | undefined {
    return this.filters.find(({ region }) =>
      contains(rectOf(region), { top: row, left: col, bottom: row, right: col }),
    );
  }

  filtersMeeting(rect: Rect): Filter[] {
    return this.filters.filter(({ region }) => meets(rectOf(region), rect));
  }

  /** Returns the protections that overlap a rectangle; a protection of the whole sub-sheet always does. */
  protectionsMeeting(rect: Rect): Protection[] {
    return this.protections.filter(({ region }) => region === null || meets(rectOf(region), rect));
  }

  save(): SubSheetState {
    return {
      size: [this.rows, this.cols],
      merges: this.merges.list().map(regionOf),
      rowSizes: this.rowSizes.list(),
      colSizes: this.colSizes.list(),
      hiddenRows: this.hiddenRows.list(),
      hiddenCols: this.hiddenCols.list(),
      freeze: this.freeze,
      links: this.links.list().map(({ row, col, value }) => [row, col, value]),
      rich: this.rich.list().map(({ row, col, value }) => [row, col, value]),
      filters: this.filters,
      images: this.images,
      charts: this.charts,
      protections: this.protections,
      rowGroups: this.rowGroups.list(),
      colGroups: this.colGroups.list(),
      setup: this.setup,
      carried: this.carried,
      rowSources: this.rowSources.list(),
      colSources: this.colSources.list(),
      formats: this.formats,
      validations: this.validations,
      comments: this.comments,
      tables: this.tables,
    };
  }

  /** Replaces the parts that `state` contains; the other parts stay unchanged. */
  restore(state: Partial<SubSheetState>): void {
    if (state.size) [this.rows, this.cols] = state.size;
    if (state.merges) this.merges.replace(state.merges.map(rectOf));
    if (state.rowSizes) this.rowSizes = Runs.from(state.rowSizes);
    if (state.colSizes) this.colSizes = Runs.from(state.colSizes);
    if (state.hiddenRows) this.hiddenRows = Runs.from(state.hiddenRows);
    if (state.hiddenCols) this.hiddenCols = Runs.from(state.hiddenCols);
    if (state.freeze) this.freeze = state.freeze;
    if (state.links) refill(this.links, state.links);
    if (state.rich) refill(this.rich, state.rich);
    if (state.filters) this.filters = state.filters;
    if (state.images) this.images = state.images;
    if (state.charts) this.charts = state.charts;
    if (state.protections) this.protections = state.protections;
    if (state.rowGroups) this.rowGroups = Runs.from(state.rowGroups);
    if (state.colGroups) this.colGroups = Runs.from(state.colGroups);
    if (state.setup) this.setup = state.setup;
    if (state.carried) this.carried = state.carried;
    if (state.rowSources) this.rowSources = Runs.from(state.rowSources);
    if (state.colSources) this.colSources = Runs.from(state.colSources);
    if (state.formats) this.formats = state.formats;
    if (state.validations) this.validations = state.validations;
    if (state.comments) this.comments = state.comments;
    if (state.tables) this.tables = state.tables;
  }
}

function refill<T>(map: CellMap<T>, entries: readonly (readonly [row: number, col: number, value: T])[]): void {
  map.clear();
  for (const [row, col, value] of entries) map.set(row, col, value);
}
