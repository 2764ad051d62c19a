import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { columnName, Workbook } from '@sheaf/engine';
import { importPeer, peer, root } from '../../measure/figures.ts';
import type { Contender, Rows } from '../workloads.ts';
import { Sheaf } from './sheaf.ts';

const sheetId = 'sheet1';

/** Creates an adapter that calls our engine through its public `Workbook` class. */
function facade(): Contender {
  let workbook = new Workbook();
  return {
    build: (rows) => void (workbook = Workbook.fromRows(rows)),
    set: (row, col, value) => void workbook.set({ row, col }, value),
    value: (row, col) => workbook.get({ row, col }),
    read: () => workbook.rows().reduce((count, line) => count + line.length, 0),
  };
}

/**
 * Creates an adapter for HyperFormula. Its column index stays off (the default), because it made lookups many times
 * slower.
 */
function hyperFormula(): Contender {
  const { HyperFormula } = peer('hyperformula');
  let engine: any;
  const at = (row: number, col: number) => ({ sheet: 0, row, col });
  return {
    build(rows) {
      this.close!();
      engine = HyperFormula.buildFromArray(rows, { licenseKey: 'gpl-v3', maxRows: 2_000_000 });
    },
    set: (row, col, value) => engine.setCellContents(at(row, col), value),
    value: (row, col) => engine.getCellValue(at(row, col)),
    insertRow: (row) => engine.addRows(0, [row, 1]),
    read(rows, cols) {
      const found: unknown[][] = engine.getRangeValues({ start: at(0, 0), end: at(rows - 1, cols - 1) });
      return found.reduce((sum, line) => sum + line.length, 0);
    },
    close() {
      engine?.destroy();
      engine = undefined;
    },
  };
}

/** Creates an adapter for IronCalc, which numbers rows and columns from 1. */
async function ironCalc(): Promise<Contender> {
  const { initSync, Model } = await importPeer('@ironcalc/wasm/wasm.js');
  initSync({ module: readFileSync(join(root, 'tools/bench/node_modules/@ironcalc/wasm/wasm_bg.wasm')) });
  let model: any;
  const close = (): void => {
    model?.free();
    model = undefined;
  };
  const shown = (row: number, col: number): string => model.getFormattedCellValue(0, row + 1, col + 1);
  return {
    build(rows) {
      close();
      model = new Model('bench', 'en', 'UTC', 'en');
      model.pauseEvaluation();
      // Pasting is IronCalc's fastest input; setting cells one by one gets slower with the number of cells.
      const text = rows.map((line) => line.map((input) => input ?? '').join('\t')).join('\n');
      model.pasteCsvText({ sheet: 0, row: 1, column: 1, width: 1, height: 1 }, text);
      model.resumeEvaluation();
      model.evaluate();
    },
    set: (row, col, value) => model.setUserInput(0, row + 1, col + 1, String(value)),
    value(row, col) {
      const text = shown(row, col);
      return text === '' || Number.isNaN(Number(text)) ? text : Number(text);
    },
    insertRow: (row) => model.insertRows(0, row + 1, 1),
    read: (rows, cols) => readEach(rows, cols, shown),
    close,
  };
}

async function oSpreadsheet(): Promise<Contender> {
  const { Model } = await importPeer('@odoo/o-spreadsheet/dist/o_spreadsheet.esm.js');
  let model: any;
  const cell = (row: number, col: number): { value: unknown } => model.getters.getEvaluatedCell({ sheetId, row, col });
  return {
    build(rows) {
      model = undefined;
      const cells: Record<string, string> = {};
      const names = (rows[0] ?? []).map((_, col) => columnName(col));
      rows.forEach((line, row) =>
        line.forEach((input, col) => {
          if (input !== null) cells[`${names[col]}${row + 1}`] = String(input);
        }),
      );
      const sheet = { id: sheetId, name: 'Sheet1', rowNumber: rows.length + 1, colNumber: names.length + 1, cells };
      model = new Model({ version: '19.3', sheets: [sheet] });
      // The engine calculates a cell only when it is read, so read one to trigger the calculation.
      cell(0, 0);
    },
    set(row, col, value) {
      model.dispatch('UPDATE_CELL', { sheetId, row, col, content: String(value) });
      cell(row, col);
    },
    value: (row, col) => cell(row, col).value,
    insertRow(base) {
      const added = { dimension: 'ROW', base, quantity: 1, position: 'before' };
      model.dispatch('ADD_COLUMNS_ROWS', { sheetId, sheetName: 'Sheet1', ...added });
      cell(0, 0);
    },
    read: (rows, cols) => readEach(rows, cols, cell),
    close: () => void (model = undefined),
  };
}

function univer(): Contender {
  const { Univer, UniverInstanceType, LocaleType, LogLevel, ICommandService } = peer('@univerjs/core');
  const { UniverFormulaEnginePlugin, SetFormulaCalculationNotificationMutation } = peer('@univerjs/engine-formula');
  const { UniverSheetsPlugin, SetRangeValuesCommand, InsertRowCommand } = peer('@univerjs/sheets');
  const { UniverSheetsFormulaPlugin } = peer('@univerjs/sheets-formula');
  const { UniverSheetsSortPlugin, SortRangeCommand } = peer('@univerjs/sheets-sort');
  const unitId = 'unit1';
  const locale = LocaleType.EN_US;
  let instance: any;
  let commands: any;
  let sheet: any;
  let hasFormulas = false;
  /** Returns a promise that resolves at the end of the next calculation, or at once if the workbook has no formulas. */
  const nextCalculation = (): Promise<void> =>
    new Promise((resolve) => {
      if (!hasFormulas) return resolve();
      const listening = commands.onCommandExecuted(({ id, params }: { id: string; params?: any }) => {
        const isDone = params?.functionsExecutedState !== undefined;
        if (id !== SetFormulaCalculationNotificationMutation.id || !isDone) return;
        listening.dispose();
        resolve();
      });
    });
  const execute = async ({ id }: { id: string }, params: object, calculates = false): Promise<void> => {
    const computed = calculates ? nextCalculation() : undefined;
    if (!(await commands.executeCommand(id, { unitId, subUnitId: sheetId, ...params })))
      throw new Error(`${id} was refused`);
    await computed;
  };
  const rangeOf = (startRow: number, startColumn: number, endRow: number, endColumn: number) => ({
    range: { startRow, startColumn, endRow, endColumn },
  });
  return {
    async build(rows) {
      this.close!();
      instance = new Univer({ locale, locales: { [locale]: {} }, logLevel: LogLevel.SILENT });
      instance.registerPlugin(UniverFormulaEnginePlugin);
      instance.registerPlugin(UniverSheetsPlugin);
      instance.registerPlugin(UniverSheetsFormulaPlugin, { initialFormulaComputing: 0 });
      instance.registerPlugin(UniverSheetsSortPlugin);
      const cellData = rows.map((line) => line.map(univerCell));
      hasFormulas = cellData.some((line) => line.some((cell) => cell?.f !== undefined));
      commands = instance.__getInjector().get(ICommandService);
      const computed = nextCalculation();
      const size = { rowCount: rows.length + 10, columnCount: (rows[0]?.length ?? 0) + 10 };
      const unit = instance.createUnit(UniverInstanceType.UNIVER_SHEET, {
        id: unitId,
        name: 'bench',
        appVersion: '1',
        locale,
        styles: {},
        sheetOrder: [sheetId],
        sheets: { [sheetId]: { id: sheetId, name: 'Sheet1', ...size, cellData: objectOf(cellData.map(objectOf)) } },
      });
      sheet = unit.getSheetBySheetId(sheetId);
      await computed;
    },
    set: (row, col, value) =>
      execute(SetRangeValuesCommand, { ...rangeOf(row, col, row, col), value: { v: value } }, true),
    value: (row, col) => sheet.getCellRaw(row, col)?.v,
    sort(rows, cols, keys) {
      const orderRules = keys.map((colIndex) => ({ type: 'asc', colIndex }));
      return execute(SortRangeCommand, { ...rangeOf(0, 0, rows - 1, cols - 1), orderRules, hasTitle: false });
    },
    insertRow: (row) => execute(InsertRowCommand, { ...rangeOf(row, 0, row, 10), direction: 0 }),
    read: (rows, cols) => readEach(rows, cols, (row, col) => sheet.getCellRaw(row, col)),
    close() {
      instance?.dispose();
      instance = undefined;
    },
  };
}

function univerCell(input: Rows[number][number]): { v?: number | string; t?: number; f?: string } | undefined {
  if (typeof input === 'number') return { v: input, t: 2 };
  if (input === null) return undefined;
  return input.startsWith('=') ? { f: input } : { v: input, t: 1 };
}

/**
 * Converts a sparse array to an object keyed by index, without empty entries. Univer requires rows and cells in this
 * form.
 */
function objectOf<Item>(items: readonly Item[]): Record<string, Item> {
  return Object.fromEntries(Object.entries(items).filter(([, item]) => item !== undefined));
}

function readEach(rows: number, cols: number, read: (row: number, col: number) => unknown): number {
  const found: unknown[] = [];
  for (let row = 0; row < rows; row++) for (let col = 0; col < cols; col++) found.push(read(row, col));
  return found.length;
}

/**
 * The compared engines by name. `sheaf` and `facade` are both our engine; `facade` calls it through the public class
 * `Workbook` and is used only to measure cold starts.
 */
export const contenders = {
  sheaf: () => new Sheaf(),
  facade,
  hyperformula: hyperFormula,
  ironcalc: ironCalc,
  univer,
  'o-spreadsheet': oSpreadsheet,
} satisfies Record<string, () => Contender | Promise<Contender>>;
