// What sheaf/engine exports. Written by npm run docs; a change here is a change for everybody who uses it.
export type Address = string | {
    readonly row: number;
    readonly col: number;
    readonly sheet?: string;
};
export type Aggregation = (typeof aggregations)[number];
export interface Allowance {
    readonly steps?: number | undefined;
    readonly bytes?: number | undefined;
    readonly broken?: ((stepsLeft: number) => string | undefined) | undefined;
    readonly large?: {
        readonly from: number;
        begin(): string | undefined;
    } | undefined;
    readonly again?: (() => Allowance) | undefined;
}
export interface Anchor {
    readonly row: number;
    readonly col: number;
    readonly offsetX: number;
    readonly offsetY: number;
    readonly width: number;
    readonly height: number;
}
export declare class BadPattern extends Error {
    constructor(message: string);
}
export declare class Band {
    start: number;
    height: number;
    chunks: (Chunk | undefined)[];
    constructor(start: number, height: number);
    chunk(col: number, index: number): Chunk;
    adopt(col: number, chunk: Chunk): boolean;
    split(index: number): Band;
    append(lower: Band): void;
}
export type BaseKind = keyof Runtime;
export interface Beside {
    readonly undone: 'when apart' | 'dropped' | 'never';
    readonly later: 'when apart' | 'never';
}
export type BlockCell = Constant | {
    readonly formula: string;
};
export declare class BudgetExceeded extends Error {
    constructor(rule: string);
}
export interface CellAddress {
    readonly row: number;
    readonly col: number;
}
export interface CellContext {
    formatAt(sheet: number, row: number, col: number): string;
    columnWidth(sheet: number, col: number): number;
    isRowHidden(sheet: number, row: number, byHand: boolean): boolean;
    pivotData(sheet: number, row: number, col: number, data: string, items: readonly PivotItem[]): Scalar;
}
export declare class CellError {
    readonly text: string;
    readonly code: number;
    constructor(text: string, code: number);
    toString(): string;
}
export type CellInput = number | string | boolean | null;
export type CellOutput = number | string | boolean | null | CellError;
export interface CellReply {
    row: number;
    col: number;
    value_type: ValueType;
    number_value?: number;
    string_value?: string;
    bool_value?: boolean;
    formula?: string;
    link_id?: string;
}
export interface CellView {
    readonly row: number;
    readonly col: number;
    readonly value: Scalar;
    readonly formula?: string;
    readonly style?: number;
    readonly spilled?: true;
}
export interface Change {
    readonly sheet: number;
    readonly col: number;
    readonly top: number;
    readonly bottom: number;
}
export interface ChangedRange extends Rect {
    readonly sheet: string;
    readonly range: string;
}
export interface ChangedSpan {
    readonly sheet: string;
    readonly col: number;
    readonly top: number;
    readonly bottom: number;
}
export interface Chart {
    readonly id: string;
    readonly type: string;
    readonly title: string;
    readonly region: Region | null;
    readonly dataSheet?: string;
    readonly series?: readonly ChartSeries[];
    readonly anchor: Anchor;
    readonly columnSeries?: boolean;
    readonly headerRow?: boolean;
    readonly categoryColumn?: boolean;
    readonly options: Readonly<Record<string, unknown>>;
    readonly kept?: PassthroughElement;
    readonly frame?: KeptFrame;
}
export interface ChartSeries {
    readonly name?: Region | string;
    readonly labels?: Region;
    readonly values: Region | null;
    readonly sizes?: Region;
}
export interface Comment extends RangeObject {
    readonly entries: readonly CommentEntry[];
    readonly resolved?: true;
    readonly note?: true;
    readonly box?: string;
    readonly kept?: string;
}
export interface CommentEntry {
    readonly id: string;
    readonly author: string;
    readonly at: number;
    readonly text: string;
    readonly kept?: {
        readonly id: string;
        readonly person: string;
        readonly more?: string;
    };
}
export type Comparison = (typeof comparisons)[number];
export interface ComputedFormat {
    readonly row: number;
    readonly col: number;
    readonly look: Look;
}
export interface ConditionalFormat extends RangeObject {
    readonly kind: FormatKind;
    readonly test?: Comparison | (typeof textTests)[number];
    readonly period?: DatePeriod;
    readonly rank?: number;
    readonly percent?: true;
    readonly below?: true;
    readonly equal?: true;
    readonly deviations?: number;
    readonly style?: Style;
    readonly stop?: true;
    readonly steps?: readonly FormatStep[];
    readonly color?: string;
    readonly icons?: string;
    readonly reverse?: true;
    readonly hidesValue?: true;
    readonly kept?: {
        readonly format?: string;
        readonly more?: string;
        readonly priority?: number;
        readonly sqref?: string;
        readonly rule?: {
            readonly read: string;
            readonly attributes: string;
            readonly inside: string;
        };
    };
}
export type Constant = number | string | boolean | null | {
    readonly error: string;
};
export interface Contents {
    readonly values?: readonly ValueRun[];
    readonly formulas?: readonly FormulaRun[];
}
export type CopyableRangeObjectKind = Exclude<RangeObjectKind, 'tables'>;
export declare class CsvError extends Error {
    readonly line: number;
    constructor(message: string, line: number);
}
export declare class CutsArray extends RangeError {
    constructor(array: Rect);
}
export declare class CutsMerge extends RangeError {
    constructor(merged: Rect);
}
export declare class DocumentSpoiled extends Error {
    constructor(cause: unknown);
}
export interface EditResult {
    readonly inverse: readonly Mutation[];
    readonly changed: readonly ChangedSpan[];
}
export interface Filter {
    readonly id: string;
    readonly region: Region;
    readonly columns: readonly FilterColumn[];
    readonly hidden: readonly (readonly [first: number, last: number])[];
    readonly source?: number;
}
export interface FilterColumn {
    readonly col: number;
    readonly visible: readonly string[];
    readonly rule?: string;
}
export interface FindOptions {
    readonly term: string;
    readonly sheets?: readonly SubSheet[];
    readonly within?: Partial<Rect>;
    readonly matchCase?: boolean;
    readonly entireCell?: boolean;
    readonly regex?: boolean;
    readonly formulas?: boolean;
    readonly offset?: number;
    readonly most?: number;
}
export interface FindResult {
    readonly total: number;
    readonly results: readonly {
        readonly sheet: string;
        readonly row: number;
        readonly col: number;
        readonly address: string;
    }[];
    readonly overflow: boolean;
    readonly nextOffset: number;
}
export interface FloatImage {
    readonly id: string;
    readonly name: string;
    readonly blob: string;
    readonly mime: string;
    readonly anchor: Anchor;
    readonly frame?: KeptFrame;
}
export type FormatKind = (typeof formatKinds)[number];
export interface FormatStep {
    readonly type: 'min' | 'max' | 'number' | 'percent' | 'percentile' | 'formula';
    readonly color?: string;
    readonly above?: true;
}
export type FormulaRun = readonly [row: number, col: number, count: number, text: string, mode?: StoredMode];
export declare class FormulaSyntaxError extends Error {
    readonly position: number;
    readonly formula: string;
    cell?: CellAddress;
    constructor(message: string, formula: string, position: number);
}
export interface Freeze {
    readonly rows: number;
    readonly cols: number;
}
export interface FunctionDef {
    readonly name: string;
    readonly family: Family;
    readonly kinds: readonly BaseKind[];
    readonly required: number;
    readonly most: number;
    readonly group: number;
    readonly options: FunctionOptions;
    readonly run: (call: CallContext, ...args: never[]) => Value;
}
export declare class IndexedSheet implements SheetHost {
    readonly id: number;
    name: string;
    readonly cells: CellStore;
    constructor(id: number, name: string, strings: StringPool);
    read(row: number, col: number): Scalar;
    walk(row: number, col: number): Scalar;
    eachFilled(top: number, left: number, bottom: number, right: number, visit: VisitCell): boolean;
    totals(top: number, left: number, bottom: number, right: number): Totals;
    get lastRow(): number;
    get lastCol(): number;
    findExact(top: number, left: number, bottom: number, right: number, needle: Scalar): number;
    postings(col: number, top: number, bottom: number, value: number | string): Int32Array | undefined;
    eachNumberBetween(col: number, top: number, bottom: number, bounds: NumberBounds,
        visit: (row: number) => void): void;
}
export type Input = {
    readonly formula: string;
} | {
    readonly value: Scalar;
};
export interface Iteration {
    readonly count: number;
    readonly delta: number;
}
export interface KeptBook {
    readonly texts: readonly KeptText[];
    readonly parts: Readonly<Record<string, KeptPart>>;
    readonly root: readonly KeptRelation[];
    readonly workbook: readonly KeptRelation[];
    readonly others: readonly KeptRelation[];
    readonly books?: readonly OtherBook[];
    readonly elements: Readonly<Record<string, string>>;
    readonly calculation?: Readonly<Record<string, string>>;
    readonly font?: Style;
    readonly names?: readonly KeptName[];
    readonly styles?: readonly KeptStyle[];
    readonly styleElements?: Readonly<Record<string, string>>;
    readonly formats?: readonly string[];
    readonly looks?: readonly KeptLook[];
    readonly words?: readonly string[];
    readonly activeSheet?: string;
    readonly formulas?: readonly KeptFormulas[];
    readonly metadata?: string;
    readonly firstSheet?: string;
}
export interface KeptFormulas {
    readonly sheet: string;
    readonly name: string;
    readonly texts: readonly string[];
}
export interface KeptFrame extends PassthroughElement {
    readonly read: Anchor;
}
export interface KeptLook {
    readonly style: Style;
    readonly attributes: string;
    readonly alignment?: string;
    readonly protection?: string;
    readonly font: number;
    readonly fill: number;
    readonly border: number;
    readonly format?: number | string;
}
export interface KeptName {
    readonly name: string;
    readonly sheet?: string;
    readonly attributes: string;
    readonly text?: string;
    readonly spelling?: readonly [written: string, said: string];
}
export interface KeptPart {
    readonly path: string;
    readonly type: string;
    readonly data: string;
    readonly relations?: readonly (readonly [id: string, relation: KeptRelation])[];
}
export interface KeptRelation {
    readonly type: string;
    readonly part?: string;
    readonly text?: number;
    readonly target?: string;
}
export interface KeptStyle {
    readonly name: string;
    readonly attributes: string;
    readonly look: string | number;
    readonly font: string | number;
    readonly fill: string | number;
    readonly border: string | number;
    readonly format?: string;
}
export interface KeptText {
    readonly xml: string;
    readonly relations?: readonly KeptRelation[];
    readonly pieces?: readonly string[];
    readonly linked?: readonly KeptRelation[];
    readonly read?: string;
    readonly reads?: readonly string[];
    readonly offsets?: readonly Point[];
    readonly captions?: readonly (readonly [row: number, col: number, text: string])[];
    readonly path?: string;
    readonly type?: string;
}
export interface LineShift {
    readonly sheet: string;
    readonly axis: 'row' | 'col';
    readonly at: number;
    readonly count: number;
    readonly to?: number;
}
export interface Link {
    readonly id: string;
    readonly url: string;
    readonly kept?: {
        readonly target?: string;
        readonly location?: string;
        readonly tooltip?: string;
        readonly display?: string;
        readonly size?: readonly [rows: number, cols: number];
    };
}
export interface Look {
    readonly style?: Style;
    readonly bar?: {
        readonly share: number;
        readonly color: string;
    };
    readonly icon?: {
        readonly set: string;
        readonly index: number;
    };
    readonly hidesValue?: true;
}
export type Mode = BaseMode | FileMode;
export interface Mutation {
    readonly type: number;
    readonly data: unknown;
}
export type MutationFacts<Data> = CommonFacts<Data> & (LayoutFacts<Data> | OtherFacts);
export type MutationKind<Data> = MutationFacts<Data> & {
    readonly of: (data: Data) => Mutation;
};
export interface OtherBook {
    readonly name: string;
    readonly sheets: readonly OtherSheet[];
}
export interface OtherSheet {
    readonly name: string;
    readonly cells?: readonly (readonly [
        row: number,
        col: number,
        value: number | string | boolean | {
            readonly error: string;
        }
    ])[];
}
export interface PageSetup {
    readonly orientation?: 'portrait' | 'landscape';
    readonly paper?: number;
    readonly scale?: number;
    readonly fit?: boolean;
    readonly fitWidth?: number;
    readonly fitHeight?: number;
    readonly margins?: Readonly<Partial<Record<'left' | 'right' | 'top' | 'bottom' | 'header' | 'footer', number>>>;
    readonly header?: string;
    readonly footer?: string;
    readonly gridlines?: boolean;
    readonly headings?: boolean;
    readonly centerAcross?: boolean;
    readonly centerDown?: boolean;
}
export interface PassthroughElement {
    readonly kind: string;
    readonly text: number;
    readonly regions?: readonly Region[];
    readonly points?: readonly Point[];
    readonly formulas?: readonly string[];
}
export interface PivotTable {
    readonly id: string;
    readonly name: string;
    readonly sourceSheet: string;
    readonly source: Region | null;
    readonly sheet: string;
    readonly row: number;
    readonly col: number;
    readonly rowGroups: readonly number[];
    readonly columnGroups: readonly number[];
    readonly values: readonly {
        readonly field: number;
        readonly aggregation: Aggregation;
    }[];
    readonly filters: readonly {
        readonly field: number;
        readonly visible: readonly string[] | null;
    }[];
    readonly calculated: readonly {
        readonly name: string;
        readonly formula: string;
    }[];
    readonly words?: number;
}
export type Point = readonly [row: number, col: number];
export interface Protection {
    readonly id: string;
    readonly owner: string;
    readonly region: Region | null;
}
export interface RangeObject {
    readonly id: string;
    readonly regions: readonly Region[];
    readonly formulas?: readonly string[];
}
export type RangeObjectKind = keyof RangeObjectLists;
export interface RangeObjectLists {
    readonly formats: readonly ConditionalFormat[];
    readonly validations: readonly Validation[];
    readonly comments: readonly Comment[];
    readonly tables: readonly Table[];
}
export interface RecalcOptions {
    readonly now?: number;
    readonly seed?: number;
    readonly limit?: number;
}
export interface Rect {
    readonly top: number;
    readonly left: number;
    readonly bottom: number;
    readonly right: number;
}
export interface RefPart {
    readonly shape: 'cell' | 'area' | 'rows' | 'cols' | 'lost';
    readonly sheet: SheetKey | undefined;
    readonly lastSheet: SheetKey | undefined;
    readonly top: number;
    readonly left: number;
    readonly bottom: number;
    readonly right: number;
    readonly topAbs: boolean;
    readonly leftAbs: boolean;
    readonly bottomAbs: boolean;
    readonly rightAbs: boolean;
}
export type Region = readonly [top: number, left: number, bottom: number, right: number];
export interface RestoreStyles {
    readonly sheet: string;
    readonly region: Region;
    readonly styles: readonly Style[];
    readonly runs: readonly (readonly [col: number, start: number, end: number, style: number])[];
}
export interface Revision {
    readonly version: number;
    readonly mutations: readonly Mutation[];
    readonly now: number;
    readonly seed: number;
}
export interface RewrittenFormulas {
    readonly sheet: number;
    readonly col: number;
    readonly top: number;
    readonly bottom: number;
    readonly before: Pattern;
}
export type RichText = readonly {
    readonly text: string;
    readonly style?: Readonly<Record<string, string | number | boolean>>;
    readonly source?: number;
}[];
export type Run = readonly [start: number, end: number, value: number];
export declare class Runs {
    static from(runs: readonly Run[]): Runs;
    get isEmpty(): boolean;
    get last(): number;
    get(position: number): number;
    set(first: number, last: number, value: number): void;
    update(first: number, last: number, change: (value: number) => number): void;
    each(first: number, last: number, visit: (start: number, end: number, value: number) => void): void;
    list(first?: number, last?: number): Run[];
    count(first: number, last: number): number;
    insert(at: number, count: number, limit: number): void;
    remove(at: number, count: number): void;
    move(from: number, count: number, to: number): void;
    copy(): Runs;
}
export type Scalar = number | string | boolean | null | CellError;
export type Scope = 'cells' | 'layout' | 'objects' | 'sheets';
export interface SetBorder {
    readonly sheet: string;
    readonly region: Region;
    readonly top?: Line;
    readonly bottom?: Line;
    readonly left?: Line;
    readonly right?: Line;
    readonly innerVertical?: Line;
    readonly innerHorizontal?: Line;
}
export declare class SheetDocument implements CellContext {
    readonly workbook: WorkbookCore;
    readonly styles: StyleTable;
    subSheets: readonly SubSheet[];
    pivots: readonly PivotTable[];
    kept: KeptBook | undefined;
    readonly pivotOutputs: Map<string, PivotOutput>;
    clock: {
        now: number;
        seed: number;
    };
    readonly pivotStamps: Map<string, string>;
    looksChanged: boolean;
    constructor();
    arrange(subSheets: readonly SubSheet[]): void;
    subSheet(id: string): SubSheet;
    find(id: string): SubSheet | undefined;
    byName(name: string): SubSheet | undefined;
    numbered(sheet: number): SubSheet | undefined;
    add(id: string, type: SheetType, name: string, at: number, number: number): SubSheet;
    value(sheet: SubSheet, row: number, col: number): Scalar;
    formula(sheet: SubSheet, row: number, col: number): string | undefined;
    style(sheet: SubSheet, row: number, col: number): Style;
    numberFormat(sheet: SubSheet, row: number, col: number): string;
    hasFormats(sheet: SubSheet, col: number): boolean;
    text(sheet: SubSheet, row: number, col: number): string;
    usedRange(sheet: SubSheet): Rect | undefined;
    size(sheet: SubSheet): {
        rows: number;
        cols: number;
    };
    pivot(id: string): PivotTable | undefined;
    pivotsMeeting(sheet: SubSheet, rect: Rect): PivotTable[];
    names(written?: SheetNames): {
        readonly name: string;
        readonly sheet: string | undefined;
        readonly formula: string;
    }[];
    formatAt(sheet: number, row: number, col: number): string;
    columnWidth(sheet: number, col: number): number;
    pivotData(sheet: number, row: number, col: number, data: string, items: readonly PivotItem[]): Scalar;
    isRowHidden(sheet: number, row: number, byHand: boolean): boolean;
}
export interface SheetNames {
    sheetName(id: number): string | undefined;
    sheetId(name: string): number | undefined;
    readonly outsideName?: (key: string) => string | undefined;
    readonly tables?: TableSource;
    readonly tableForm?: 'file' | 'stored';
    readonly tableAs?: (table: number) => number;
}
export interface SheetSetup {
    readonly visibility?: 'hidden' | 'veryHidden';
    readonly tabColor?: string;
    readonly gridlines?: false;
    readonly zoom?: number;
    readonly colWidth?: number;
    readonly rowHeight?: number;
    readonly page?: PageSetup;
    readonly protection?: {
        readonly attributes: string;
        readonly ids: readonly string[];
    };
    readonly more?: Readonly<Record<string, string>>;
}
export declare class StepBudget implements Budget {
    readonly allowance: Allowance;
    constructor(allowance?: Allowance);
    spend(units: number): void;
    take(bytes: number): void;
    get room(): number;
    free(room: number): void;
    keep(bytes: number): void;
    next(): void;
    uninterrupted<Result>(work: () => Result): Result;
}
export declare class StringPool {
    size: number;
    kept: number;
    characters: number;
    keptCharacters: number;
    get highest(): number;
    get(id: number): string;
    intern(text: string): number;
    sweep(used: (id: number) => boolean): void;
}
export interface Style {
    readonly bold?: true;
    readonly italic?: true;
    readonly fontFamily?: string;
    readonly fontSize?: number;
    readonly fontColor?: string;
    readonly bgColor?: string;
    readonly horizontalAlign?: string;
    readonly verticalAlign?: string;
    readonly wrapText?: true;
    readonly strikeThrough?: true;
    readonly underline?: string;
    readonly numberFormat?: string;
    readonly borderTop?: string;
    readonly borderBottom?: string;
    readonly borderLeft?: string;
    readonly borderRight?: string;
    readonly indent?: number;
    readonly rotation?: number;
    readonly shrinkToFit?: true;
    readonly fill?: string;
    readonly cellStyle?: string;
    readonly source?: number;
}
export type StylePatch = {
    readonly [K in StyleKey]?: Style[K] | null;
};
export declare class StyleTable {
    get(id: number): Style;
    shown(id: number): Style;
    intern(style: StylePatch): number;
    patching(patch: StylePatch): (id: number) => number;
    changing(change: (style: Style) => StylePatch): (id: number) => number;
    clearing(what: 'all' | 'format' | 'border'): (id: number) => number;
}
export declare class SubSheet {
    readonly id: string;
    readonly type: SheetType;
    readonly sheet: IndexedSheet;
    rows: number;
    cols: number;
    readonly styles: StyleGrid;
    readonly merges: Merges;
    rowSizes: Runs;
    colSizes: Runs;
    hiddenRows: Runs;
    hiddenCols: Runs;
    freeze: Freeze;
    readonly links: CellMap<Link>;
    readonly rich: CellMap<RichText>;
    filters: readonly Filter[];
    images: readonly FloatImage[];
    charts: readonly Chart[];
    protections: readonly Protection[];
    rowGroups: Runs;
    colGroups: Runs;
    setup: SheetSetup;
    carried: readonly PassthroughElement[];
    rowSources: Runs;
    colSources: Runs;
    formats: readonly ConditionalFormat[];
    validations: readonly Validation[];
    comments: readonly Comment[];
    tables: readonly Table[];
    constructor(id: string, type: SheetType, sheet: IndexedSheet);
    get name(): string;
    get grid(): Rect;
    filteredRows(): Runs;
    isRowHidden(row: number): boolean;
    filterAt(row: number, col: number): Filter | undefined;
    filtersMeeting(rect: Rect): Filter[];
    protectionsMeeting(rect: Rect): Protection[];
    save(): SubSheetState;
    restore(state: Partial<SubSheetState>): void;
}
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
export type Surroundings = CellContext;
export interface Table extends RangeObject {
    readonly number: number;
    readonly name: string;
    readonly headings?: false;
    readonly totals?: true;
    readonly style?: TableStyle;
    readonly columns: readonly TableColumn[];
    readonly next: number;
    readonly kept?: number;
    readonly source?: number;
}
export interface TableColumn {
    readonly number: number;
    readonly name: string;
    readonly kept?: number;
}
export interface TablePart {
    readonly table: number | undefined;
    readonly written: string;
    readonly items: number;
    readonly first: number;
    readonly last: number;
}
export interface TableShape {
    readonly id: number;
    readonly name: string;
    readonly sheet: number;
    readonly rect: Rect;
    readonly heads: number;
    readonly totals: number;
    readonly columns: readonly number[];
    readonly names: readonly string[];
}
export interface TableStyle {
    readonly name?: string;
    readonly firstColumn?: true;
    readonly lastColumn?: true;
    readonly rowStripes?: true;
    readonly columnStripes?: true;
}
export declare class Template {
    readonly id: number;
    readonly pattern: Pattern;
    readonly constants: readonly (number | string)[];
    readonly texts: readonly string[];
    constructor(id: number, pattern: Pattern, constants: readonly (number | string)[], texts: readonly string[]);
    get lift(): boolean;
    get mode(): Mode;
    get refs(): readonly RefPart[];
    get names(): readonly string[];
    evaluate(ev: Evaluation): Value;
    text(row: number, col: number, names: SheetNames): string;
}
export interface Touch {
    readonly sheet?: string;
    readonly rect?: Rect;
    readonly across?: {
        readonly axis: 'row' | 'col';
        readonly at: number;
    };
    readonly over?: Rect;
    readonly writesContents?: true;
    readonly object?: string;
    readonly writesFormulas?: true;
}
export interface Validation extends RangeObject {
    readonly kind: ValidationKind;
    readonly test?: Comparison;
    readonly required?: true;
    readonly hidesList?: true;
    readonly prompt?: {
        readonly title?: string;
        readonly text?: string;
        readonly silent?: true;
    };
    readonly error?: {
        readonly style?: 'warning' | 'information';
        readonly title?: string;
        readonly text?: string;
        readonly silent?: true;
    };
    readonly kept?: {
        readonly blank?: false;
        readonly operator?: string;
        readonly button?: true;
        readonly rule?: {
            readonly read: string;
            readonly xml: string;
        };
    };
}
export type ValidationKind = (typeof validationKinds)[number];
export type ValueRun = readonly [row: number, col: number, values: readonly Constant[]];
export declare class Workbook {
    constructor(options?: WorkbookOptions);
    static fromRows(rows: readonly (readonly CellInput[])[], options?: WorkbookOptions): Workbook;
    get sheets(): string[];
    addSheet(name: string): void;
    set(address: Address, value: CellInput | readonly (readonly CellInput[])[]): void;
    get(address: Address): CellOutput;
    formula(address: Address): string | undefined;
    rows(name?: string): CellOutput[][];
    onChange(listener: (ranges: readonly ChangedRange[]) => void): () => void;
    batch(work: () => void): void;
}
export declare class WorkbookCore implements WorkbookHost, SheetNames {
    readonly strings: StringPool;
    readonly templates: Templates;
    readonly sheets: IndexedSheet[];
    readonly graph: DependencyGraph;
    readonly spills: Spills;
    readonly changed: ChangedCells;
    readonly names: DefinedNames;
    cellContext: CellContext;
    iteration: Iteration | undefined;
    recalcState: RecalcState | undefined;
    tables: TableSource;
    outside: ExternalSheetSource;
    addSheet(name: string, at?: number, id?: number, rewritten?: RewrittenFormulas[]): IndexedSheet;
    deleteSheet(id: number): RewrittenFormulas[];
    renameSheet(id: number, name: string): RewrittenFormulas[];
    moveSheet(id: number, to: number): void;
    need(id: number): IndexedSheet;
    sheetName(id: number): string | undefined;
    sheetId(name: string): number | undefined;
    sheetById(id: number): IndexedSheet | undefined;
    outsideSheet(key: string): IndexedSheet | undefined;
    sheetByName(name: string): IndexedSheet | undefined;
    sheetList(): readonly IndexedSheet[];
    setValue(sheet: IndexedSheet, row: number, col: number, value: Scalar): void;
    setFormula(sheet: IndexedSheet, row: number, col: number, text: string, mode?: Mode): void;
    setTemplate(sheet: IndexedSheet, row: number, col: number, template: Template, keepsValue?: boolean): void;
    templateAt(sheet: IndexedSheet, row: number, col: number): Template | undefined;
    formulaText(sheet: number, row: number, col: number): string | undefined;
    insertRows(sheet: IndexedSheet, at: number, count: number): RewrittenFormulas[];
    deleteRows(sheet: IndexedSheet, at: number, count: number): RewrittenFormulas[];
    moveRows(sheet: IndexedSheet, from: number, count: number, to: number): RewrittenFormulas[];
    insertCols(sheet: IndexedSheet, at: number, count: number): RewrittenFormulas[];
    deleteCols(sheet: IndexedSheet, at: number, count: number): RewrittenFormulas[];
    moveCols(sheet: IndexedSheet, from: number, count: number, to: number): RewrittenFormulas[];
    shiftCells(sheet: IndexedSheet, axis: 'row' | 'col', change: AxisChange, first: number,
        last: number): RewrittenFormulas[];
    defineName(name: string, text: string, sheet?: number): void;
    removeName(name: string, sheet?: number): void;
    noteTables(): void;
    nameDefinition(name: string, sheet: number): Template | undefined;
    recalc(options?: RecalcOptions): Change[];
    recalcAll(options?: RecalcOptions): Change[];
    requireAll(): void;
    get surroundings(): CellContext;
    set surroundings(context: CellContext);
    requirePositional(): void;
    acceptValues(): void;
    preview(sheet: IndexedSheet, row: number, col: number, options?: RecalcOptions): Scalar;
    templateOf(text: string, row: number, col: number): Template;
    isSubtotalCell(sheet: number, row: number, col: number): boolean;
    formatAt(sheet: number, row: number, col: number): string;
    columnWidth(sheet: number, col: number): number;
    isRowHidden(sheet: number, row: number, byHand: boolean): boolean;
    pivotData(sheet: number, row: number, col: number, data: string, items: readonly PivotItem[]): Scalar;
    spillOf(sheet: number, row: number, col: number): RangeRef | undefined;
}
export interface WorkbookOptions extends RecalcOptions {
    readonly sheet?: string;
}
export declare const addSheet: MutationKind<AddSheet>;
export declare const aggregations: readonly ["SUM", "COUNT", "AVERAGE", "MAX", "MIN", "PRODUCT", "COUNTNUMS", "STDEV",
    "STDEVP", "VAR", "VARP"];
export declare function anchorRect(sub: SubSheet, anchor: Anchor): Rect;
export declare function apply(document: SheetDocument, mutation: Mutation): Mutation[];
export declare function areNoOps(document: SheetDocument, mutations: readonly Mutation[]): boolean;
export declare function asOf<Result>(now: number, work: () => Result): Result;
export declare const bandRows = 1024;
export declare function besideOf(mutation: Mutation): Beside;
export declare function bindTable(name: string, inner: string, written: string, tables: TableSource): TablePart;
export declare const blankTag = 0;
export declare function capture(document: SheetDocument, sheet: SubSheet, rect: Rect, blanks?: boolean,
    names?: SheetNames): Contents;
export declare const cellErrors: {
    readonly null: CellError;
    readonly div0: CellError;
    readonly value: CellError;
    readonly ref: CellError;
    readonly name: CellError;
    readonly num: CellError;
    readonly na: CellError;
    readonly gettingData: CellError;
    readonly spill: CellError;
    readonly connect: CellError;
    readonly blocked: CellError;
    readonly unknown: CellError;
    readonly field: CellError;
    readonly calc: CellError;
    readonly circular: CellError;
}
export declare function cellName(row: number, col: number): string;
export declare function cellReplies(document: SheetDocument, sheet: SubSheet, rect: Rect): CellReply[];
export declare function cellRepliesText(document: SheetDocument, sheet: SubSheet, rect: Rect): string;
export declare function cellsShowingFormulaText(workbook: WorkbookCore): Map<number, Rect[]>;
export declare function charge(steps: number): void;
export declare function chargeMemory(bytes: number): void;
export declare function chargeText(characters: number): void;
export declare function choicesOf(document: SheetDocument, sub: SubSheet, rule: Validation, row: number, col: number,
    options?: RecalcOptions): string[];
export declare const clearContents: MutationKind<ClearContents>;
export declare const clearLink: MutationKind<ClearLink>;
export declare function colorInFormat(value: Scalar, pattern: string): string | undefined;
export declare function columnName(col: number): string;
export declare function columnOf(letters: string): number;
export declare function compareScalars(a: Scalar, b: Scalar): number;
export declare const comparisons: readonly ["between", "not_between", "equal", "not_equal", "greater", "less",
    "greater_or_equal", "less_or_equal"];
export declare function compileCalculated(document: SheetDocument, formula: string, names: readonly string[],
    options: RecalcOptions): CalculatedField;
export declare function computePivot(document: SheetDocument, pivot: PivotTable, options: RecalcOptions): Matrix;
export declare function computedFormats(document: SheetDocument, sub: SubSheet, rect: Rect,
    options?: RecalcOptions): ComputedFormat[];
export declare function contains(outer: Rect, inner: Rect): boolean;
export declare function criterion(source: Scalar): Criterion;
export declare function csvCell(field: string): BlockCell;
export declare function currentYear(): number;
export declare const datePeriods: readonly ["yesterday", "today", "tomorrow", "last_7_days", "last_week", "this_week",
    "next_week", "last_month", "this_month", "next_month"];
export declare function defineMutation<Data>(facts: MutationFacts<NoInfer<Data>>): MutationKind<Data>;
export declare const defineName: MutationKind<DefineName>;
export declare const deleteDimension: MutationKind<DimensionRun>;
export declare const deleteRange: MutationKind<RangeShift>;
export declare const deleteSheet: MutationKind<DeleteSheet>;
export declare function describeRequirement(document: SheetDocument, sub: SubSheet, rule: Validation, row: number,
    col: number, options?: RecalcOptions): string;
export declare function edit(document: SheetDocument, mutations: readonly Mutation[],
    options?: EditOptions): EditResult;
export declare function encodeSnapshot(document: SheetDocument, engine?: number): Uint8Array;
export declare function errorOfCode(code: number): CellError;
export declare function errorOfText(text: string): CellError | undefined;
export declare const errorTag = 4;
export declare function evaluateFormula(workbook: WorkbookCore, sheet: IndexedSheet, text: string, { now,
    seed }?: RecalcOptions): Scalar | readonly Scalar[];
export declare function fieldNames(document: SheetDocument, sub: SubSheet, top: number, left: number,
    right: number): string[];
export declare function find(document: SheetDocument, options: FindOptions): FindResult;
export declare function foldText(text: string): string;
export declare function forgetUnused(workbook: WorkbookCore, allTexts?: boolean): void;
export declare function format(value: Scalar, pattern: string): string;
export declare const formatKinds: readonly ["cell", "text", "date", "top", "average", "duplicate", "unique", "blank",
    "not_blank", "error", "not_error", "formula", "scale", "bar", "icons"];
export declare function functionNamed(name: string): FunctionDef | undefined;
export declare function functionNames(): string[];
export declare function hiddenRows(document: SheetDocument, sheet: SubSheet, region: Region,
    columns: readonly FilterColumn[]): [first: number, last: number][];
export declare const insertDimension: MutationKind<DimensionRun>;
export declare const insertRange: MutationKind<RangeShift>;
export declare function isBlank(sheet: SubSheet, rect: Rect): boolean;
export declare function isDatePattern(pattern: string): boolean;
export declare function isEmpty(contents: Contents): boolean;
export declare function isError(value: unknown): value is CellError;
export declare function isFailure(result: RebuiltDocument | RebuildFailure): result is RebuildFailure;
export declare function isKnown(mutation: Mutation): boolean;
export declare function isListed(listed: ReadonlySet<string>, text: string, value: Scalar): boolean;
export declare function isRef(part: PatternPart): part is RefPart;
export declare function isTable(part: object | string): part is TablePart;
export declare function isValid(document: SheetDocument, sub: SubSheet, rule: Validation, row: number, col: number,
    options?: RecalcOptions): boolean;
export declare function isValidPattern(pattern: string): boolean;
export declare function iterationOf(attributes: Readonly<Record<string, string>> | undefined): Iteration | undefined;
export declare function keepStyles(document: SheetDocument, sheet: SubSheet, rect: Rect): Mutation;
export declare function lastWithin(sheet: IndexedSheet, axis: 'row' | 'col', { first, last }: {
    first: number;
    last: number;
}): number;
export declare function lineShiftOf(mutation: Mutation): LineShift | undefined;
export declare function loadColumn(workbook: WorkbookCore, sheet: IndexedSheet, row: number, col: number,
    values: ArrayLike<Scalar>): void;
export declare function loadRows(workbook: WorkbookCore, sheet: IndexedSheet, row: number, col: number,
    rows: readonly (readonly Scalar[])[]): void;
export declare function loadSnapshot(bytes: Uint8Array): SheetDocument;
export declare const logicalTag = 3;
export declare function matcherOf(options: Pick<FindOptions, 'term' | 'matchCase' | 'entireCell' | 'regex'>): Matcher;
export declare const maxCols = 16384;
export declare const maxRows = 1048576;
export declare function meets(a: Rect, b: Rect): boolean;
export declare const merge: MutationKind<Merge>;
export declare function mergeAdjacentRegions(regions: readonly Region[]): Region[];
export declare const moveDimension: MutationKind<MoveDimension>;
export declare const moveLines: MutationKind<MoveLines>;
export declare const moveSheet: MutationKind<MoveSheet>;
export declare function moveToRegions<T extends RangeObject>(object: T, regions: readonly Region[],
    names: SheetNames): T;
export declare const mutationKinds: readonly {
    readonly type: number;
    readonly name: string;
}[];
export declare function namesForStoredFormulas({ workbook }: SheetDocument,
    tableAs?: (table: number) => number): SheetNames;
export declare function needsQuotes(name: string): boolean;
export declare const newCols = 26;
export declare const newRows = 200;
export declare const numberTag = 1;
export declare function parseCell(text: string): CellAddress | undefined;
export declare function parseCsv(text: string): string[][];
export declare function parseRect(text: string): Rect | undefined;
export declare const permuteRows: MutationKind<PermuteRows>;
export declare function pivotFits(document: SheetDocument, pivot: PivotTable, options?: RecalcOptions): boolean;
export declare function placesOf(document: SheetDocument, mutation: Mutation): readonly Touch[];
export declare const putChart: MutationKind<PutChart>;
export declare const putImage: MutationKind<PutImage>;
export declare const putMark: MutationKind<PutRangeObject>;
export declare const putPivot: MutationKind<PutPivot>;
export declare const putProtect: MutationKind<PutProtect>;
export declare function readInput(text: string): Input;
export declare function readRange(workbook: WorkbookCore, sheet: IndexedSheet, top: number, left: number,
    bottom: number, right: number): CellView[];
export declare function rebuild(source: RebuildSource): RebuiltDocument | RebuildFailure;
export declare function recalculateDocument(document: SheetDocument, options: RecalcOptions): ChangedSpan[];
export declare function rectName(rect: Rect): string;
export declare function rectOf(region: Region): Rect;
export declare function regionOf(rect: Rect): Region;
export declare function regionsWithin(regions: readonly Region[], rect: Rect): Region[];
export declare function regionsWithout(regions: readonly Region[], hole: Rect): Region[];
export declare const removeChart: MutationKind<RemoveObject>;
export declare const removeFilter: MutationKind<RemoveObject>;
export declare const removeImage: MutationKind<RemoveObject>;
export declare const removeMark: MutationKind<RemoveRangeObject>;
export declare const removeName: MutationKind<RemoveName>;
export declare const removePivot: MutationKind<RemovePivot>;
export declare const removeProtect: MutationKind<RemoveObject>;
export declare const renameSheet: MutationKind<RenameSheet>;
export declare function replacerOf(options: Pick<FindOptions, 'term' | 'matchCase' | 'entireCell' | 'regex'> & {
    readonly replacement: string;
}): (text: string) => string;
export declare function resolveRef(part: RefPart, row: number, col: number): ResolvedRect | undefined;
export declare const restoreBlock: MutationKind<RestoreBlock>;
export declare const restoreState: MutationKind<RestoreState>;
export declare const restoreStyles: MutationKind<RestoreStyles>;
export declare function rollBackEdit(document: SheetDocument, inverse: readonly Mutation[],
    clock: SheetDocument['clock']): void;
export declare function rowsReading(group: FormulaGroup, ref: RefPart, top: number, bottom: number): RowSpan
    | undefined;
export declare function runOf(row: number, col: number, count: number, text: string, mode: Mode): FormulaRun;
export declare function sameRect(a: Rect, b: Rect): boolean;
export declare function scopeOf(mutation: Mutation): Scope;
export declare const setBorder: MutationKind<SetBorder>;
export declare const setFilter: MutationKind<SetFilter>;
export declare const setFreeze: MutationKind<SetFreeze>;
export declare const setGrid: MutationKind<SetGrid>;
export declare const setGroups: MutationKind<AxisRuns>;
export declare const setLink: MutationKind<SetLink>;
export declare const setRangeBlock: MutationKind<SetRangeBlock>;
export declare const setRichText: MutationKind<SetRichText>;
export declare const setSetup: MutationKind<SetSetup>;
export declare const setSize: MutationKind<AxisRuns>;
export declare const setStyle: MutationKind<SetStyle>;
export declare const setValues: MutationKind<SetValues>;
export declare const setVisible: MutationKind<AxisRuns>;
export declare function shapeOf(pivot: PivotTable): {
    labelCols: number;
    headingRows: number;
    measures: number;
    isAcross: boolean;
};
export declare function shownText(value: Scalar, pattern: string): string;
export declare function shownTexts(document: SheetDocument, sheet: SubSheet, col: number, top: number, bottom: number,
    visit: (text: string, index: number, value: Scalar) => void): void;
export declare function sortOrder(sheet: SubSheet, rect: Rect, keys: readonly SortKey[]): number[];
export declare function tableRect(table: TableShape, { items, first, last }: TablePart, row: number): Rect | CellError;
export declare function tableRefs(part: TablePart, tables: TableSource): RefPart[];
export declare const textTag = 2;
export declare const textTests: readonly ['contains', 'not_contains', 'begins_with', 'ends_with'];
export declare function toCsv(document: SheetDocument, sheet: SubSheet, rect: Rect): string;
export declare function touches(document: SheetDocument, mutation: Mutation): readonly Touch[];
export declare function unknownNames(document: SheetDocument, formula: string, names: readonly string[]): string[];
export declare const unmerge: MutationKind<Unmerge>;
export declare const updateFilter: MutationKind<UpdateFilter>;
export declare function validationAt(sub: SubSheet, row: number, col: number): Validation | undefined;
export declare const validationKinds: readonly ['list', 'whole', 'decimal', 'date', 'time', 'length', 'custom', 'any'];
export declare const wholeGrid: Rect;
export declare function within<Result>(budget: StepBudget, work: () => Result): Result;
export { currentYear as presentYear, mergeAdjacentRegions as joined, moveToRegions as onRegions,
    describeRequirement as requirementOf, type CopyableRangeObjectKind as CellMarkList, type RangeObject as Mark,
    type RangeObjectKind as MarkList, type RangeObjectLists as Marks, type PassthroughElement as Carried,
    namesForStoredFormulas as storedNames, recalculateDocument as settle, rollBackEdit as takeBack,
    loadSnapshot as load, encodeSnapshot as snapshot, type Chunk, IndexedSheet as Sheet, StringPool as Strings,
    cellsShowingFormulaText as formulaTexts, evaluateFormula as ask };
// What these refer to.
interface AddSheet {
    readonly sheet: string;
    readonly name: string;
    readonly at?: number;
    readonly type?: SheetType;
    readonly rows?: number;
    readonly cols?: number;
    readonly number?: number;
}
type AnyRangeObject = ConditionalFormat | Validation | Comment | Table;
type ArraySize = readonly [rows: number, cols: number];
type AxisChange = {
    readonly kind: 'insert';
    readonly at: number;
    readonly count: number;
} | {
    readonly kind: 'delete';
    readonly at: number;
    readonly count: number;
} | {
    readonly kind: 'move';
    readonly from: number;
    readonly count: number;
    readonly to: number;
};
interface AxisRuns {
    readonly sheet: string;
    readonly axis: 'row' | 'col';
    readonly runs: readonly Run[];
}
type BaseMode = boolean | ArraySize;
type BinaryOperator = '+' | '-' | '*' | '/' | '^' | '&' | '=' | '<>' | '<' | '<=' | '>' | '>=';
interface Budget {
    spend(units: number): void;
}
declare class ByteReader {
    constructor(bytes: Uint8Array);
    u32(): number;
    skipPadding(): void;
    u8Array(count: number): Uint8Array;
    i32Array(count: number): Int32Array;
    u32Array(count: number): Uint32Array;
    f64Array(count: number): Float64Array;
    text(): string;
    get isAtEnd(): boolean;
}
interface CalculatedField {
    readonly fields: readonly number[];
    compute(sums: readonly Scalar[]): Scalar;
}
interface CallContext {
    readonly now: number;
    random(): number;
    readonly sheet: SheetInfo;
    readonly row: number;
    readonly col: number;
    isMissing: boolean;
    readonly dynamic: boolean;
    readonly budget: Budget;
    callLambda(lambda: Lambda, args: readonly (Value | undefined)[]): Value;
    indirect(text: string, a1: boolean): Reference | CellError;
    rectangle(base: RangeRef, top: number, left: number, rows: number, cols: number): RangeRef | CellError;
    sheets(): readonly SheetInfo[];
    formulaAt(sheet: SheetInfo, row: number, col: number): string | undefined;
    formulaBelow(sheet: SheetInfo, row: number, col: number, down: number): Scalar | undefined;
    isRowHidden(sheet: SheetInfo, row: number, byHand: boolean): boolean;
    isSubtotal(sheet: SheetInfo, row: number, col: number): boolean;
    formatAt(sheet: SheetInfo, row: number, col: number): string;
    columnWidth(sheet: SheetInfo, col: number): number;
    pivotData(sheet: SheetInfo, row: number, col: number, data: string, items: readonly PivotItem[]): Scalar;
    broadcast(args: readonly Value[], each: (...items: Scalar[]) => Value): Value;
    findExact(grid: Grid, needle: Scalar): number;
    eachMatching(ranges: readonly Grid[], criteria: readonly Scalar[], visit: (row: number,
        col: number) => void): CellError | undefined;
}
interface CellEntry<T> {
    readonly row: number;
    readonly col: number;
    readonly value: T;
}
declare class CellMap<T> {
    get size(): number;
    get(row: number, col: number): T | undefined;
    set(row: number, col: number, value: T): void;
    delete(row: number, col: number): void;
    clear(): void;
    list(rect?: Rect): CellEntry<T>[];
    remap(place: (row: number, col: number) => {
        row: number;
        col: number;
    } | undefined): void;
}
interface CellSource {
    readonly id: number;
    readonly name: string;
    read(row: number, col: number): Scalar;
    walk(row: number, col: number): Scalar;
    eachFilled(top: number, left: number, bottom: number, right: number, visit: VisitCell): boolean;
    totals(top: number, left: number, bottom: number, right: number): Totals;
    readonly lastRow: number;
    readonly lastCol: number;
}
declare class CellStore {
    readonly strings: StringPool;
    bands: Band[];
    extent: number;
    readonly versions: number[];
    writes: number;
    epoch: number;
    constructor(strings: StringPool);
    bandAt(row: number): Band | undefined;
    bandIndex(row: number): number;
    ensureBand(row: number): Band;
    chunkFor(row: number, col: number): {
        chunk: Chunk;
        index: number;
    };
    get width(): number;
    touch(col: number): void;
    version(col: number): number;
    read(row: number, col: number): Scalar;
    write(row: number, col: number, value: Scalar): void;
    put(chunk: Chunk, index: number, value: Scalar): boolean;
    formulaId(row: number, col: number): number;
    setFormulaId(row: number, col: number, id: number): void;
    isSpilled(row: number, col: number): boolean;
    styleId(row: number, col: number): number;
    setStyleId(row: number, col: number, id: number): void;
    eachFilled(top: number, left: number, bottom: number, right: number, visit: VisitCell): boolean;
    decode(tag: number, num: number): Scalar;
    eachPiece(col: number, top: number, bottom: number, visit: (chunk: Chunk, from: number, to: number,
        start: number) => void): void;
    last(): {
        row: number;
        col: number;
    };
    invalidate(): void;
}
declare class ChangedCells {
    add(sheet: IndexedSheet, col: number, top: number, bottom: number): void;
    drain(visit: (sheet: IndexedSheet, col: number, top: number, bottom: number) => void): void;
    remap(sheet: IndexedSheet, move: (col: number, top: number, bottom: number) => MovedRange | undefined): void;
    removeSheet(sheet: number): void;
    clear(): void;
}
declare class Chunk {
    tags: Uint8Array;
    nums: Float64Array;
    formulas: Int32Array | undefined;
    styles: Int32Array | undefined;
    constructor(rows: number);
    get rows(): number;
    ensure(index: number, height: number): void;
    resize(rows: number): void;
    needFormulas(): Int32Array;
    needStyles(): Int32Array;
    slice(from: number, to: number): Chunk | undefined;
    isEmpty(): boolean;
    lastRow(): number;
}
interface ClearContents {
    readonly sheet: string;
    readonly region: Region;
    readonly keepLinks?: true;
}
interface ClearLink {
    readonly sheet: string;
    readonly cells: readonly (readonly [row: number, col: number])[];
}
interface CommonFacts<Data> {
    readonly type: number;
    readonly name: string;
    readonly touches: (data: Data, document: SheetDocument) => readonly Touch[];
    readonly isNoOp: (data: Data, document: SheetDocument) => boolean;
    readonly beside: Beside;
    readonly place?: (data: Data) => readonly Touch[];
    readonly apply: (document: SheetDocument, data: Data) => Mutation[];
}
interface Criterion {
    test(value: Scalar): boolean;
    readonly blank: boolean;
    readonly equals: number | string | undefined;
    readonly bounds?: NumberBounds;
}
type DatePeriod = (typeof datePeriods)[number];
interface DefineName {
    readonly name: string;
    readonly sheet?: string;
    readonly formula: string;
}
declare class DefinedNames {
    constructor(host: {
        readonly templates: Templates;
    });
    define(name: string, text: string, sheet?: number): void;
    remove(name: string, sheet?: number): void;
    get(name: string, sheet: number): Template | undefined;
    list(): {
        name: string;
        sheet: number | undefined;
        template: Template;
    }[];
    usersOf(name: string): Set<string>;
    rewrite(change: (ref: RefPart) => RefPart): boolean;
}
interface DeleteSheet {
    readonly sheet: string;
}
declare class DependencyGraph {
    readonly maps: Map<number, FormulaMap>;
    readonly volatile: Set<FormulaGroup>;
    constructor(host: GraphHost);
    map(sheet: IndexedSheet): FormulaMap;
    touch(sheet: IndexedSheet, col: number, top: number, bottom: number): void;
    markDue(sheet: IndexedSheet, col: number, top: number, bottom: number): void;
    takeDue(visit: (group: FormulaGroup, top: number, bottom: number) => void): void;
    remapDue(sheet: number, move: (col: number, top: number, bottom: number) => MovedRange | undefined): void;
    flush(): void;
    refsOf(pattern: Pattern, sheet: number): readonly RefPart[];
    readsOf(pattern: Pattern, sheet: number): readonly RefPart[];
    sheetsOf(ref: RefPart, own: IndexedSheet): readonly IndexedSheet[];
    readers(sheet: IndexedSheet): PrecedentIndex | undefined;
    eachGroup(visit: (group: FormulaGroup) => void): void;
    invalidate(): void;
    invalidateNames(): void;
    removeSheet(id: number): void;
}
interface DimensionRun {
    readonly sheet: string;
    readonly axis: 'row' | 'col';
    readonly at: number;
    readonly count: number;
}
declare class DirtySet {
    readonly groups: FormulaGroup[];
    constructor(graph: DependencyGraph, spills: Spills);
    mark(group: FormulaGroup, top: number, bottom: number): void;
    changed(sheet: IndexedSheet, top: number, left: number, bottom: number, right: number): void;
    drain(): void;
    clear(): void;
}
interface EditOptions extends RecalcOptions {
    readonly watch?: (mutation: Mutation) => void;
}
type Eval = (ev: Evaluation) => Value;
declare class Evaluation implements CallContext {
    readonly host: WorkbookHost;
    budget: StepBudget;
    now: number;
    random: () => number;
    sheet: SheetHost;
    isInName: boolean;
    row: number;
    col: number;
    dynamic: boolean;
    isMissing: boolean;
    env: Value[];
    constants: readonly (number | string)[];
    onDynamic: (range: RangeRef) => void;
    constructor(host: WorkbookHost, sheet: SheetHost, budget: StepBudget, now: number, random: () => number);
    reserve(rows: number, cols: number): void;
    nested(body: () => Value): Value;
    begin(): void;
    callLambda(lambda: Lambda, args: readonly (Value | undefined)[]): Value;
    indirect(text: string, a1: boolean): Reference | CellError;
    rectangle(base: RangeRef, top: number, left: number, rows: number, cols: number): RangeRef | CellError;
    sheets(): readonly SheetInfo[];
    formulaAt(sheet: SheetInfo, row: number, col: number): string | undefined;
    formulaBelow(sheet: SheetInfo, row: number, col: number, down: number): Scalar | undefined;
    isRowHidden(sheet: SheetInfo, row: number, byHand: boolean): boolean;
    isSubtotal(sheet: SheetInfo, row: number, col: number): boolean;
    formatAt(sheet: SheetInfo, row: number, col: number): string;
    pivotData(sheet: SheetInfo, row: number, col: number, data: string, items: readonly PivotItem[]): Scalar;
    columnWidth(sheet: SheetInfo, col: number): number;
    broadcast(args: readonly Value[], each: (...items: Scalar[]) => Value): Value;
    element(value: Value): Scalar;
    findExact(grid: Grid, needle: Scalar): number;
    eachMatching(ranges: readonly Grid[], criteria: readonly Scalar[], visit: (row: number,
        col: number) => void): CellError | undefined;
}
interface ExternalSheetSource {
    find(key: string): IndexedSheet | undefined;
    list(): Iterable<IndexedSheet>;
}
type Family = 'math' | 'engineering' | 'date' | 'statistical' | 'distributions' | 'financial' | 'database' | 'text'
    | 'lookup' | 'array' | 'logical' | 'information' | 'lambda';
interface FileMode {
    readonly base: BaseMode;
    readonly isKept: boolean;
    readonly isMarked: boolean;
}
declare class FormulaGroup {
    readonly sheet: IndexedSheet;
    col: number;
    top: number;
    bottom: number;
    readonly pattern: Pattern;
    alive: boolean;
    dirtyTop: number;
    dirtyBottom: number;
    growths: number;
    state: number;
    cursor: number;
    order: number;
    low: number;
    circular: boolean;
    constructor(sheet: IndexedSheet, col: number, top: number, bottom: number, pattern: Pattern);
}
declare class FormulaMap {
    readonly sheet: IndexedSheet;
    readonly columns: Map<number, FormulaGroup[]>;
    constructor(sheet: IndexedSheet, templates: Templates, added: (group: FormulaGroup) => void,
        removed: (group: FormulaGroup) => void);
    static from(groups: readonly FormulaGroup[], row: number): number;
    at(row: number, col: number): FormulaGroup | undefined;
    eachIn(top: number, left: number, bottom: number, right: number, visit: (group: FormulaGroup) => void): void;
    each(visit: (group: FormulaGroup) => void): void;
    replace(runs: readonly {
        col: number;
        top: number;
        bottom: number;
        pattern: Pattern;
        group: FormulaGroup | undefined;
    }[]): void;
    refresh(col: number, top: number, bottom: number): void;
}
interface FunctionOptions {
    volatile?: boolean;
    aliases?: readonly string[];
    returnsRef?: boolean;
    unread?: readonly number[];
    noLift?: boolean;
    isClosed?: boolean;
    whenEmpty?: Readonly<Record<number, Scalar>>;
}
interface GraphHost {
    readonly templates: Templates;
    readonly sheets: readonly IndexedSheet[];
    sheetById(id: number): IndexedSheet | undefined;
    nameDefinition(name: string, sheet: number): Template | undefined;
    readonly tables: TableSource;
}
interface Grid {
    readonly rows: number;
    readonly cols: number;
    at(row: number, col: number): Scalar;
    eachFilled(visit: VisitCell): boolean;
    totals(): Totals;
}
declare class GroupCalculator {
    changes: Change[];
    readonly changedSpills: {
        group: FormulaGroup;
        area: SpillArea;
    }[];
    readonly evicted: {
        sheet: IndexedSheet;
        row: number;
        col: number;
    }[];
    readonly unstable: Set<FormulaGroup>;
    createExactEvaluation: () => Evaluation;
    constructor(ev: Evaluation, random: SeededRandom, templates: Templates, spills: Spills, journal: RollbackJournal);
    reset(): void;
    begin(group: FormulaGroup): void;
    compute(group: FormulaGroup, row: number, exact?: boolean): void;
    computeRun(group: FormulaGroup, top: number): void;
    computeBlocks(group: FormulaGroup, single: (row: number) => void): void;
    store(group: FormulaGroup, row: number, value: Value): void;
    putNumber(chunk: Chunk, index: number, row: number, value: number): void;
    markChanged(row: number): void;
    put(group: FormulaGroup, chunk: Chunk, index: number, row: number, value: Value): void;
    end(group: FormulaGroup): void;
}
interface Header {
    readonly engine: number;
    readonly clock: {
        readonly now: number;
        readonly seed: number;
    };
    readonly styles: readonly Style[];
    readonly names: readonly {
        readonly name: string;
        readonly sheet?: string;
        readonly formula: string;
    }[];
    readonly pivots: readonly PivotTable[];
    readonly outputs: readonly (readonly [id: string, sheet: string, region: Region, state: 0 | 1 | 2])[];
    readonly sheets: readonly SheetHeader[];
    readonly kept?: KeptBook;
}
declare class Lambda {
    readonly params: number;
    readonly required: number;
    readonly apply: (args: readonly (Value | undefined)[]) => Value;
    constructor(params: number, required: number, apply: (args: readonly (Value | undefined)[]) => Value);
}
interface LayoutFacts<Data> {
    readonly scope: 'layout';
    readonly shift: (data: Data) => LineShift | undefined;
}
type Line = string | null;
type Matcher = (text: string) => boolean;
declare class Matrix implements Grid {
    readonly rows: number;
    readonly cols: number;
    readonly data: Scalar[];
    constructor(rows: number, cols: number, data: Scalar[]);
    static build(rows: number, cols: number, cell: (row: number, col: number) => Scalar): Matrix;
    static fromRows(lines: readonly (readonly Scalar[])[]): Matrix;
    static column(items: readonly Scalar[]): Matrix;
    static row(items: readonly Scalar[]): Matrix;
    at(row: number, col: number): Scalar;
    eachFilled(visit: VisitCell): boolean;
    totals(): Totals;
}
interface Merge {
    readonly sheet: string;
    readonly regions: readonly Region[];
    readonly keepContents?: true;
}
declare class Merges {
    get size(): number;
    list(): readonly Rect[];
    meeting(rect: Rect): Rect[];
    at(row: number, col: number): Rect | undefined;
    replace(rects: readonly Rect[]): void;
    add(rects: readonly Rect[]): void;
    remove(gone: readonly Rect[]): void;
}
interface MoveDimension {
    readonly sheet: string;
    readonly axis: 'row' | 'col';
    readonly from: number;
    readonly count: number;
    readonly to: number;
}
type MoveLines = MoveDimension;
interface MoveSheet {
    readonly sheet: string;
    readonly to: number;
}
interface MovedRange {
    readonly col: number;
    readonly top: number;
    readonly bottom: number;
}
interface NamedFormula {
    readonly name: string;
    readonly sheet?: string;
    readonly formula: string;
}
type Node = 
{
    readonly type: 'number';
    readonly value: number;
    readonly slot?: number | undefined;
} | {
    readonly type: 'text';
    readonly value: string;
    readonly slot?: number | undefined;
} | {
    readonly type: 'logical';
    readonly value: boolean;
} | {
    readonly type: 'error';
    readonly value: CellError;
}
 | {
    readonly type: 'missing';
} | {
    readonly type: 'ref';
    readonly part: RefPart;
} | {
    readonly type: 'name';
    readonly name: string;
    readonly sheet: SheetKey | undefined;
}
 | {
    readonly type: 'optional';
    readonly name: string;
}
 | {
    readonly type: 'table';
    readonly part: TablePart;
} | {
    readonly type: 'array';
    readonly rows: readonly (readonly Node[])[];
} | {
    readonly type: 'call';
    readonly name: string;
    readonly args: readonly Node[];
} | {
    readonly type: 'apply';
    readonly target: Node;
    readonly args: readonly Node[];
} | {
    readonly type: 'unary';
    readonly op: '+' | '-';
    readonly arg: Node;
} | {
    readonly type: 'percent';
    readonly arg: Node;
} | {
    readonly type: 'single';
    readonly arg: Node;
} | {
    readonly type: 'spilled';
    readonly arg: Node;
} | {
    readonly type: 'binary';
    readonly op: BinaryOperator;
    readonly left: Node;
    readonly right: Node;
} | {
    readonly type: 'span';
    readonly left: Node;
    readonly right: Node;
} | {
    readonly type: 'intersection';
    readonly left: Node;
    readonly right: Node;
} | {
    readonly type: 'union';
    readonly items: readonly Node[];
};
interface NumberBounds {
    readonly low: number;
    readonly high: number;
}
interface OpenedSnapshot {
    readonly header: Header;
    readonly body: ByteReader;
}
interface OtherFacts {
    readonly scope: Exclude<Scope, 'layout'>;
    readonly shift?: undefined;
}
declare class Pattern {
    readonly id: number;
    readonly ast: Node;
    readonly parts: readonly PatternPart[];
    readonly refs: readonly RefPart[];
    readonly reads: readonly RefPart[];
    readonly names: readonly string[];
    readonly variables: ReadonlySet<string>;
    readonly tables: readonly TablePart[];
    readonly unknown: readonly string[];
    readonly volatile: boolean;
    readonly hasDynamicRefs: boolean;
    readonly subtotal: boolean;
    readonly formulaText: boolean;
    readonly positional: boolean;
    readonly weight: number;
    readonly mode: Mode;
    readonly lift: boolean;
    readonly array: ArraySize | undefined;
    readonly isKept: boolean;
    readonly isMarked: boolean;
    readonly placeholders: number;
    readonly templates: Map<string, Template>;
    constructor(id: number, ast: Node, parts: readonly PatternPart[], mode: Mode);
    get externalSheets(): string[];
    get keptMode(): Mode;
    get run(): Eval;
}
type PatternPart = string | RefPart | TablePart | Placeholder;
interface PermuteRows {
    readonly sheet: string;
    readonly region: Region;
    readonly order: readonly number[];
}
interface PivotItem {
    readonly field: string;
    readonly item: Scalar;
}
interface PivotOutput {
    readonly sheet: string;
    readonly rect: Rect;
    readonly blocked: boolean;
    readonly hidden: boolean;
}
interface Placeholder {
    readonly hole: 'number' | 'text';
}
interface Precedent {
    readonly group: FormulaGroup;
    readonly ref: RefPart;
    readonly top: number;
    readonly left: number;
    readonly bottom: number;
    readonly right: number;
}
declare class PrecedentIndex {
    add(item: Precedent): void;
    query(top: number, left: number, bottom: number, right: number, visit: (item: Precedent) => void): void;
}
interface PutChart {
    readonly sheet: string;
    readonly chart: Chart;
    readonly at?: number;
}
interface PutImage {
    readonly sheet: string;
    readonly image: FloatImage;
    readonly at?: number;
}
interface PutPivot {
    readonly pivot: PivotTable;
    readonly at?: number;
}
interface PutProtect {
    readonly sheet: string;
    readonly protection: Protection;
    readonly at?: number;
}
interface PutRangeObject {
    readonly sheet: string;
    readonly list: RangeObjectKind;
    readonly mark: AnyRangeObject;
    readonly at?: number;
    readonly asWas?: true;
}
declare class RangeRef implements Grid {
    readonly sheet: CellSource;
    readonly top: number;
    readonly left: number;
    readonly bottom: number;
    readonly right: number;
    constructor(sheet: CellSource, top: number, left: number, bottom: number, right: number);
    get rows(): number;
    get cols(): number;
    get isCell(): boolean;
    at(row: number, col: number): Scalar;
    eachFilled(visit: VisitCell): boolean;
    totals(): Totals;
    part(row: number, col: number, rows: number, cols: number): RangeRef;
    trimmed(): RangeRef;
}
interface RangeShift {
    readonly sheet: string;
    readonly region: Region;
    readonly axis: 'row' | 'col';
}
interface RebuildFailure {
    readonly stage: RebuildStage;
    readonly mutationType: number;
    readonly message: string;
}
interface RebuildSource {
    readonly snapshot?: {
        readonly version: number;
        readonly bytes: Uint8Array;
    };
    readonly revisions: readonly Revision[];
}
type RebuildStage = (typeof rebuildSteps)[number][0];
interface RebuildState {
    readonly source: RebuildSource;
    version: number;
    document: SheetDocument;
    opened: OpenedSnapshot | undefined;
    mutation: Mutation | undefined;
}
interface RebuiltDocument {
    readonly document: SheetDocument;
    readonly version: number;
}
declare class RecalcState {
    readonly dirty: DirtySet;
    readonly journal: RollbackJournal;
    readonly random: SeededRandom;
    readonly ev: Evaluation;
    readonly writer: GroupCalculator;
    readonly calculation: Recalculation;
    constructor(workbook: WorkbookCore, sheet: IndexedSheet);
}
declare class Recalculation {
    constructor(graph: DependencyGraph, dirty: DirtySet, spills: Spills, writer: GroupCalculator, ev: Evaluation);
    run(budget: Budget, iteration: Iteration | undefined): void;
}
declare class RefUnion {
    readonly areas: readonly RangeRef[];
    constructor(areas: readonly RangeRef[]);
}
type Reference = RangeRef | RefUnion;
interface RemoveName {
    readonly name: string;
    readonly sheet?: string;
}
interface RemoveObject {
    readonly sheet: string;
    readonly id: string;
}
interface RemovePivot {
    readonly id: string;
}
interface RemoveRangeObject {
    readonly sheet: string;
    readonly list: RangeObjectKind;
    readonly id: string;
}
interface RenameSheet {
    readonly sheet: string;
    readonly name: string;
}
interface ResolvedRect {
    readonly top: number;
    readonly left: number;
    readonly bottom: number;
    readonly right: number;
}
interface RestoreBlock extends Contents {
    readonly sheet: string;
    readonly region: Region;
    readonly keepLinks?: true;
}
interface RestoreState {
    readonly sheet: string;
    readonly state?: Partial<SubSheetState>;
    readonly pivots?: readonly PivotTable[];
    readonly names?: readonly NamedFormula[];
}
declare class RollbackJournal {
    clear(): void;
    save(sheet: IndexedSheet, col: number, top: number, bottom: number): void;
    saveArray(sheet: IndexedSheet, row: number, col: number, area: SpillArea | undefined): void;
    rollBack(spills: Spills): void;
}
interface RowSpan {
    readonly top: number;
    readonly bottom: number;
}
interface Runtime {
    number: number;
    text: string;
    logical: boolean;
    scalar: Exclude<Scalar, CellError>;
    any: Scalar;
    grid: Grid;
    array: Grid;
    value: Value;
    ref: Reference;
    lambda: Lambda;
    lazy: () => Value;
}
declare class SeededRandom {
    constructor(seed: number);
    reseed(seed: number): void;
    at(sheet: number, row: number, col: number): void;
    readonly next: () => number;
}
interface SetFilter {
    readonly sheet: string;
    readonly filter: Filter;
    readonly at?: number;
}
interface SetFreeze {
    readonly sheet: string;
    readonly rows: number;
    readonly cols: number;
}
interface SetGrid {
    readonly sheet: string;
    readonly rows: number;
    readonly cols: number;
}
interface SetLink {
    readonly sheet: string;
    readonly links: readonly (readonly [row: number, col: number, link: Link])[];
}
interface SetRangeBlock {
    readonly sheet: string;
    readonly row: number;
    readonly col: number;
    readonly rows: readonly (readonly BlockCell[])[];
}
interface SetRichText {
    readonly sheet: string;
    readonly texts: readonly (readonly [row: number, col: number, text: RichText | null])[];
}
interface SetSetup {
    readonly sheet: string;
    readonly setup: SheetSetup;
}
interface SetStyle {
    readonly sheet: string;
    readonly region: Region;
    readonly clear?: 'all' | 'format' | 'border';
    readonly set?: StylePatch;
}
interface SetValues extends Contents {
    readonly sheet: string;
    readonly keepLinks?: true;
}
interface SheetHeader {
    readonly id: string;
    readonly type: SheetType;
    readonly name: string;
    readonly number: number;
    readonly state: Partial<SubSheetState>;
    readonly styles: readonly number[];
    readonly filled: readonly Region[];
    readonly blocked: readonly Region[];
}
interface SheetHost extends CellSource {
    findExact(top: number, left: number, bottom: number, right: number, needle: Scalar): number;
    postings(col: number, top: number, bottom: number, value: number | string): Int32Array | undefined;
    eachNumberBetween(col: number, top: number, bottom: number, bounds: NumberBounds,
        visit: (row: number) => void): void;
}
interface SheetInfo {
    readonly id: number;
    readonly name: string;
}
type SheetKey = number | string;
type SheetType = 'worksheet' | 'smartsheet' | 'smartcanvas';
interface SortKey {
    readonly col: number;
    readonly descending: boolean;
}
interface SpillArea {
    readonly top: number;
    readonly left: number;
    readonly bottom: number;
    readonly right: number;
    readonly firm?: true;
}
declare class Spills {
    any(sheet: number): boolean;
    get(sheet: number, row: number, col: number): SpillArea | undefined;
    eachFrom(sheet: IndexedSheet, col: number, top: number, bottom: number, visit: (area: SpillArea) => void): void;
    meeting(sheet: number, top: number, left: number, bottom: number, right: number): {
        row: number;
        col: number;
    }[];
    blockedBy(sheet: number, area: SpillArea): {
        row: number;
        col: number;
    }[];
    overlapping(sheet: number, area: SpillArea): SpillArea[];
    legacyArrays(sheet: number): SpillArea[];
    retract(sheet: IndexedSheet, row: number, col: number): SpillArea | undefined;
    retractAll(sheet: IndexedSheet): SpillArea[];
    removeSheet(sheet: number): void;
    areasOf(sheet: number): {
        readonly filled: readonly SpillArea[];
        readonly blocked: readonly SpillArea[];
    };
    adopt(sheet: number, filled: readonly SpillArea[], blocked: readonly SpillArea[], isFirm: (row: number,
        col: number) => boolean): void;
    fill(sheet: IndexedSheet, row: number, col: number, matrix: Matrix, firm?: boolean): SpillArea[] | undefined;
}
type StoredMode = 1 | ArraySize | readonly [rows: number, cols: number, flags: number];
declare class StyleGrid {
    at(row: number, col: number): number;
    column(col: number): Runs | undefined;
    used(): number[];
    set(col: number, first: number, last: number, id: number): void;
    update(rect: Rect, change: (id: number) => number): void;
    isUnchangedBy(rect: Rect, change: (id: number) => number): boolean;
    list(rect: Rect): [col: number, start: number, end: number, id: number][];
    alongRows(change: (runs: Runs) => void, first?: number, last?: number): void;
    alongCols(place: (col: number) => number | undefined): void;
    alongColsWithin(first: number, last: number, place: (col: number) => number | undefined): void;
}
type StyleKey = keyof Style;
interface TableSource {
    table(id: number): TableShape | undefined;
    tableNamed(name: string): TableShape | undefined;
    columnNames(table: TableShape): readonly string[];
    list(): readonly TableShape[];
}
declare class Templates {
    size: number;
    retained: number;
    constructor(names: SheetNames);
    get(id: number): Template | undefined;
    of(text: string, row: number, col: number, mode?: Mode): Template;
    copiesEnd(rows: readonly (readonly unknown[])[], place: {
        readonly row: number;
        readonly col: number;
        readonly index: number;
    }, from: number, to: number, template: Template): number;
    with(pattern: Pattern, constants: readonly (number | string)[], texts: readonly string[]): Template;
    get highest(): number;
    sweep(used: (id: number) => boolean): void;
    patternOf(parts: readonly PatternPart[], row: number, col: number, mode: Mode): Pattern;
    moved(template: Template, row: number, col: number): Template;
}
interface Totals {
    readonly sum: number;
    readonly count: number;
    readonly min: number;
    readonly max: number;
    readonly filled: number;
    readonly error: CellError | null;
}
interface Unmerge {
    readonly sheet: string;
    readonly regions: readonly Region[];
}
interface UpdateFilter {
    readonly sheet: string;
    readonly filter: Filter;
}
type Value = Scalar | Matrix | RangeRef | RefUnion | Lambda;
type ValueType = 'NUMBER' | 'STRING' | 'BOOL' | 'FORMULA' | 'ERROR' | 'TIME_STRING' | 'RICH_STRING';
type VisitCell = (value: Exclude<Scalar, null>, row: number, col: number) => void | false;
interface WorkbookHost {
    sheetById(id: number): SheetHost | undefined;
    sheetByName(name: string): SheetHost | undefined;
    sheetList(): readonly SheetHost[];
    outsideSheet(key: string): SheetHost | undefined;
    nameDefinition(name: string, sheet: number): Template | undefined;
    templateOf(text: string, row: number, col: number): Template;
    formulaText(sheet: number, row: number, col: number): string | undefined;
    isSubtotalCell(sheet: number, row: number, col: number): boolean;
    formatAt(sheet: number, row: number, col: number): string;
    columnWidth(sheet: number, col: number): number;
    isRowHidden(sheet: number, row: number, byHand: boolean): boolean;
    pivotData(sheet: number, row: number, col: number, data: string, items: readonly PivotItem[]): Scalar;
    spillOf(sheet: number, row: number, col: number): RangeRef | undefined;
    readonly tables: TableSource;
}
declare function applyNewRevisions(state: RebuildState): void;
declare function checkRevisions(state: RebuildState): void;
declare function loadSnapshotCells(state: RebuildState): void;
declare function loadSnapshotHeader(state: RebuildState): void;
declare const rebuildSteps: readonly [readonly ['RebuildWorkbook.workbook_cmds', typeof loadSnapshotHeader],
    readonly ['RebuildWorkbook.revisions', typeof checkRevisions], readonly ['RebuildSheet', typeof loadSnapshotCells],
    readonly ['RebuildSheetWithTrim', typeof verifySnapshot], readonly ['ApplyNewRevisions', typeof applyNewRevisions]];
declare function verifySnapshot(state: RebuildState): void;
