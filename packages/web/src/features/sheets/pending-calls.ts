import type { Selection } from './selection.ts';

/** A call of a server tool that changes the document. It is queued until the server confirms it. */
export interface SheetCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The selection when the call was made. Undoing the call restores this selection. */
  readonly place: { readonly selection: Selection; readonly tab: string };
  readonly version: number;
}

export interface TypedCell {
  readonly sheetId: string;
  readonly row: number;
  readonly col: number;
  /** The typed text. An empty string clears the cell. */
  readonly input: string;
}

type CallInput = Readonly<Record<string, unknown>>;

/**
 * Server tools whose calls can be queued while the server is unreachable, because the page can show their effect itself
 * and they do not move other cells. A queued row insertion, for example, would move cells that are edited later.
 */
const deferrableTools = new Set(['enter_cells', 'clear_range_cells', 'set_dimension_size']);
/** Maximum number of cells shown as cleared before the server confirms the clearing. */
const maxCleared = 50_000;

export function canSendLater({ tool, input }: Pick<SheetCall, 'tool' | 'input'>): boolean {
  return callsOf(tool, input).every((one) => deferrableTools.has(one.tool));
}

/**
 * Returns the cells that a call fills or clears, so that the result can be shown before the server confirms the call.
 */
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
