import { peers, type Contender, type Rows } from '../contender.ts';

interface CellData {
  v?: number | string;
  t?: number;
  f?: string;
}

interface CommandInfo {
  id: string;
  params?: { functionsExecutedState?: number };
}

interface CommandService {
  executeCommand(id: string, params: object): Promise<boolean>;
  onCommandExecuted(listener: (info: CommandInfo) => void): { dispose(): void };
}

interface Instance {
  registerPlugin(plugin: unknown, config?: object): void;
  createUnit(
    type: number,
    data: object,
  ): { getSheetBySheetId(id: string): { getCellRaw(row: number, col: number): CellData | null } };
  __getInjector(): { get(token: unknown): CommandService };
  dispose(): void;
}

interface Core {
  Univer: new (config: object) => Instance;
  UniverInstanceType: { UNIVER_SHEET: number };
  LocaleType: { EN_US: string };
  LogLevel: { SILENT: number };
  ICommandService: unknown;
}

interface Packages {
  core: Core;
  formula: { UniverFormulaEnginePlugin: unknown; SetFormulaCalculationNotificationMutation: { id: string } };
  sheets: { UniverSheetsPlugin: unknown; SetRangeValuesCommand: { id: string }; InsertRowCommand: { id: string } };
  sheetsFormula: { UniverSheetsFormulaPlugin: unknown };
  sort: { UniverSheetsSortPlugin: unknown; SortRangeCommand: { id: string } };
}

const unitId = 'unit1';
const sheetId = 'sheet1';
const numberType = 2;
const stringType = 1;

export class Univer implements Contender {
  readonly #packages: Packages;
  #univer: Instance | undefined;
  #commands: CommandService | undefined;
  #sheet: ReturnType<ReturnType<Instance['createUnit']>['getSheetBySheetId']> | undefined;
  #formulas = false;

  constructor(root: string) {
    const need = peers(root);
    this.#packages = {
      core: need('@univerjs/core') as Core,
      formula: need('@univerjs/engine-formula') as Packages['formula'],
      sheets: need('@univerjs/sheets') as Packages['sheets'],
      sheetsFormula: need('@univerjs/sheets-formula') as Packages['sheetsFormula'],
      sort: need('@univerjs/sheets-sort') as Packages['sort'],
    };
  }

  async build(rows: Rows): Promise<void> {
    this.close();
    const { core, formula, sheets, sheetsFormula, sort } = this.#packages;
    const { EN_US } = core.LocaleType;
    const univer = new core.Univer({ locale: EN_US, locales: { [EN_US]: {} }, logLevel: core.LogLevel.SILENT });
    univer.registerPlugin(formula.UniverFormulaEnginePlugin);
    univer.registerPlugin(sheets.UniverSheetsPlugin);
    univer.registerPlugin(sheetsFormula.UniverSheetsFormulaPlugin, { initialFormulaComputing: 0 });
    univer.registerPlugin(sort.UniverSheetsSortPlugin);
    this.#univer = univer;
    this.#formulas = false;
    const cellData: Record<number, Record<number, CellData>> = {};
    rows.forEach((line, row) => {
      const cells: Record<number, CellData> = {};
      line.forEach((input, col) => {
        if (typeof input === 'number') cells[col] = { v: input, t: numberType };
        else if (input?.startsWith('=')) {
          cells[col] = { f: input };
          this.#formulas = true;
        } else if (input !== null) cells[col] = { v: input, t: stringType };
      });
      cellData[row] = cells;
    });
    this.#commands = univer.__getInjector().get(core.ICommandService);
    const computed = this.#computed();
    const unit = univer.createUnit(core.UniverInstanceType.UNIVER_SHEET, {
      id: unitId,
      name: 'bench',
      appVersion: '1',
      locale: EN_US,
      styles: {},
      sheetOrder: [sheetId],
      sheets: {
        [sheetId]: {
          id: sheetId,
          name: 'Sheet1',
          rowCount: rows.length + 10,
          columnCount: (rows[0]?.length ?? 0) + 10,
          cellData,
        },
      },
    });
    this.#sheet = unit.getSheetBySheetId(sheetId);
    await computed;
  }

  /** Resolves after the next calculation, or at once for a workbook without formulas. */
  #computed(): Promise<void> {
    const commands = this.#commands;
    if (!commands || !this.#formulas) return Promise.resolve();
    const { id } = this.#packages.formula.SetFormulaCalculationNotificationMutation;
    return new Promise((resolve) => {
      const listening = commands.onCommandExecuted((info) => {
        if (info.id !== id || info.params?.functionsExecutedState === undefined) return;
        listening.dispose();
        resolve();
      });
    });
  }

  async #command(id: string, params: object, calculates: boolean): Promise<void> {
    const computed = calculates ? this.#computed() : Promise.resolve();
    const done = await this.#commands?.executeCommand(id, { unitId: unitId, subUnitId: sheetId, ...params });
    if (!done) throw new Error(`${id} was refused`);
    await computed;
  }

  set(row: number, col: number, value: number): Promise<void> {
    const range = { startRow: row, endRow: row, startColumn: col, endColumn: col };
    return this.#command(this.#packages.sheets.SetRangeValuesCommand.id, { range, value: { v: value } }, true);
  }

  value(row: number, col: number): unknown {
    return this.#sheet?.getCellRaw(row, col)?.v;
  }

  sort(rows: number, cols: number, keys: readonly number[]): Promise<void> {
    const range = { startRow: 0, endRow: rows - 1, startColumn: 0, endColumn: cols - 1 };
    const orderRules = keys.map((colIndex) => ({ type: 'asc', colIndex }));
    return this.#command(this.#packages.sort.SortRangeCommand.id, { range, orderRules, hasTitle: false }, false);
  }

  insertRow(at: number): Promise<void> {
    const range = { startRow: at, endRow: at, startColumn: 0, endColumn: 10 };
    return this.#command(this.#packages.sheets.InsertRowCommand.id, { range, direction: 0 }, false);
  }

  read(rows: number, cols: number): number {
    const found: unknown[] = [];
    for (let row = 0; row < rows; row++) {
      for (let col = 0; col < cols; col++) found.push(this.#sheet?.getCellRaw(row, col));
    }
    return found.length;
  }

  close(): void {
    this.#univer?.dispose();
    this.#univer = undefined;
    this.#commands = undefined;
    this.#sheet = undefined;
  }
}
