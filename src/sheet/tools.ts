import { get_sheet_info } from './operations/get_sheet_info.ts';
import { set_cell_value } from './operations/set_cell_value.ts';
import type { Tool } from './tool.ts';

/** Every tool of the sheet module, in the order of the specification. */
export const toolList = { set_cell_value, get_sheet_info };

/** For the threads that hold documents. */
export const tools: ReadonlyMap<string, Tool> = new Map(Object.entries(toolList as unknown as Record<string, Tool>));
