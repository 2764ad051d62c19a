import type { Selection } from './selection.ts';

/** A call of a tool that writes, as it is kept until the server has answered. */
export interface SheetCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Where it was asked for: undoing leads back there. */
  readonly place: { readonly selection: Selection; readonly tab: string };
  /** The newest version that was known when it was made. */
  readonly version: number;
}

export interface TypedCell {
  readonly sheetId: string;
  readonly row: number;
  readonly col: number;
  /** As it was typed; '' empties the cell. */
  readonly input: string;
}

type Given = Readonly<Record<string, unknown>>;

/**
 * Tools whose work can be shown before it is done, and that leave every other cell where it is. Only these can wait for the
 * server: rows inserted later than the cells typed after them would move those.
 */
const waitingTools = new Set(['enter_cells', 'clear_range_cells', 'set_dimension_size']);
/** More are not emptied on the screen before they are on the server. */
const maxEmptied = 50_000;

export function canWait({ tool, input }: Pick<SheetCall, 'tool' | 'input'>): boolean {
  return callsOf(tool, input).every((one) => waitingTools.has(one.tool));
}

/** The cells that a call types into or empties. */
export function typedCells({ tool, input, place }: Pick<SheetCall, 'tool' | 'input' | 'place'>): TypedCell[] {
  return callsOf(tool, input).flatMap((one) => cellsOf(one.tool, one.input, place.tab));
}

function callsOf(tool: string, input: Given): { tool: string; input: Given }[] {
  if (tool !== 'batch') return [{ tool, input }];
  const calls = (input['calls'] ?? []) as readonly { tool: string; arguments: Given }[];
  return calls.map((one) => ({ tool: one.tool, input: one.arguments }));
}

function cellsOf(tool: string, input: Given, tab: string): TypedCell[] {
  const sheetId = typeof input['sheet_id'] === 'string' ? input['sheet_id'] : tab;
  const top = Number(input['start_row']);
  const left = Number(input['start_col']);
  if (tool === 'enter_cells') {
    const rows = input['rows'] as readonly (readonly (string | null)[])[];
    return rows.flatMap((line, r) =>
      line.flatMap((typed, c) => (typed === null ? [] : [{ sheetId, row: top + r, col: left + c, input: typed }])),
    );
  }
  if (tool !== 'clear_range_cells') return [];
  const height = Number(input['end_row']) - top + 1;
  const width = Number(input['end_col']) - left + 1;
  if (!(height * width <= maxEmptied)) return [];
  return Array.from({ length: height * width }, (_, index) => ({
    sheetId,
    row: top + Math.floor(index / width),
    col: left + (index % width),
    input: '',
  }));
}
