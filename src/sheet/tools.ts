import { add_sheet } from './operations/add_sheet.ts';
import { clear_border } from './operations/clear_border.ts';
import { clear_range_all } from './operations/clear_range_all.ts';
import { clear_range_cells } from './operations/clear_range_cells.ts';
import { clear_range_style } from './operations/clear_range_style.ts';
import { delete_dimension } from './operations/delete_dimension.ts';
import { delete_range } from './operations/delete_range.ts';
import { delete_sheet } from './operations/delete_sheet.ts';
import { get_cell_style } from './operations/get_cell_style.ts';
import { get_merged_cells } from './operations/get_merged_cells.ts';
import { get_sheet_info } from './operations/get_sheet_info.ts';
import { insert_dimension } from './operations/insert_dimension.ts';
import { insert_range } from './operations/insert_range.ts';
import { merge_cell } from './operations/merge_cell.ts';
import { move_dimension } from './operations/move_dimension.ts';
import { move_sheet } from './operations/move_sheet.ts';
import { rename_sheet } from './operations/rename_sheet.ts';
import { set_border } from './operations/set_border.ts';
import { set_cell_style } from './operations/set_cell_style.ts';
import { set_cell_value } from './operations/set_cell_value.ts';
import { set_dimension_size } from './operations/set_dimension_size.ts';
import { set_freeze } from './operations/set_freeze.ts';
import { set_range_value } from './operations/set_range_value.ts';
import { unmerge_cell } from './operations/unmerge_cell.ts';
import { unset_freeze } from './operations/unset_freeze.ts';
import type { Tool } from './tool.ts';

/** Every tool of the sheet module, in the order of the specification. */
export const toolList = {
  set_cell_value,
  set_range_value,
  clear_range_cells,
  clear_range_style,
  clear_range_all,
  set_cell_style,
  get_cell_style,
  set_border,
  clear_border,
  merge_cell,
  unmerge_cell,
  get_merged_cells,
  insert_dimension,
  delete_dimension,
  move_dimension,
  set_dimension_size,
  insert_range,
  delete_range,
  set_freeze,
  unset_freeze,
  get_sheet_info,
  add_sheet,
  delete_sheet,
  rename_sheet,
  move_sheet,
};

/** For the threads that hold documents. */
export const tools: ReadonlyMap<string, Tool> = new Map(Object.entries(toolList as unknown as Record<string, Tool>));
