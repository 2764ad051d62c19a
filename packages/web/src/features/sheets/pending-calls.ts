import type { Selection } from './selection.ts';

/** A write call as it is stored until the server confirms it. */
export interface SheetCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The selection when the call was made; undoing the call restores it. */
  readonly place: { readonly selection: Selection; readonly tab: string };
  /** The latest known version when the call was made. */
  readonly version: number;
}

export interface TypedCell {
  readonly sheetId: string;
  readonly row: number;
  readonly col: number;
  /** The text as typed; '' clears the cell. */
  readonly input: string;
}

type CallInput = Readonly<Record<string, unknown>>;

/**
 * Tools whose effect can be shown before the server applies them and that move no other cells. Only these can wait for
 * the server: rows inserted after later cell edits would shift those cells.
 */
const deferrableTools = new Set(['enter_cells', 'clear_range_cells', 'set_dimension_size']);
/** Larger ranges are shown as cleared only after the server has cleared them. */
const maxCleared = 50_000;

export function canSendLater({ tool, input }: Pick<SheetCall, 'tool' | 'input'>): boolean {
  return callsOf(tool, input).every((one) => deferrableTools.has(one.tool));
}

/** Returns the cells that a call fills or clears. */
export function cellsOfCall({ tool, input, place }: Pick<SheetCall, 'tool' | 'input' | 'place'>): TypedCell[] {
  return callsOf(tool, input).flatMap((one) => cellsOf(one.tool, one.input, place.tab));
}

function callsOf(tool: string, input: CallInput): { tool: string; input: CallInput }[] {
  if (tool !== 'batch') return [{ tool, input }];
  const calls = (input['calls'] ?? []) as readonly { tool: string; arguments: CallInput }[];
  return calls.map((one) => ({ tool: one.tool, input: one.arguments }));
}

function cellsOf(tool: string, input: CallInput, tab: string): TypedCell[] {
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
  if (!(height * width <= maxCleared)) return [];
  return Array.from({ length: height * width }, (_, index) => ({
    sheetId,
    row: top + Math.floor(index / width),
    col: left + (index % width),
    input: '',
  }));
}
