import { add_chart } from './operations/add_chart.ts';
import { add_pivot_table } from './operations/add_pivot_table.ts';
import { add_protect_range } from './operations/add_protect_range.ts';
import { add_sheet } from './operations/add_sheet.ts';
import { clear_border } from './operations/clear_border.ts';
import { clear_link } from './operations/clear_link.ts';
import { clear_range_all } from './operations/clear_range_all.ts';
import { clear_range_cells } from './operations/clear_range_cells.ts';
import { clear_range_style } from './operations/clear_range_style.ts';
import { delete_chart } from './operations/delete_chart.ts';
import { delete_dimension } from './operations/delete_dimension.ts';
import { delete_protect_range } from './operations/delete_protect_range.ts';
import { delete_range } from './operations/delete_range.ts';
import { delete_sheet } from './operations/delete_sheet.ts';
import { find } from './operations/find.ts';
import { get_cell_data } from './operations/get_cell_data.ts';
import { get_cell_style } from './operations/get_cell_style.ts';
import { get_charts } from './operations/get_charts.ts';
import { get_merged_cells } from './operations/get_merged_cells.ts';
import { get_pivot_table_detail } from './operations/get_pivot_table_detail.ts';
import { get_protect_ranges } from './operations/get_protect_ranges.ts';
import { get_sheet_info } from './operations/get_sheet_info.ts';
import { get_sheet_object_list } from './operations/get_sheet_object_list.ts';
import { insert_dimension } from './operations/insert_dimension.ts';
import { insert_image } from './operations/insert_image.ts';
import { insert_range } from './operations/insert_range.ts';
import { merge_cell } from './operations/merge_cell.ts';
import { move_dimension } from './operations/move_dimension.ts';
import { move_sheet } from './operations/move_sheet.ts';
import { remove_filter } from './operations/remove_filter.ts';
import { remove_pivot_table } from './operations/remove_pivot_table.ts';
import { rename_sheet } from './operations/rename_sheet.ts';
import { set_border } from './operations/set_border.ts';
import { set_cell_style } from './operations/set_cell_style.ts';
import { set_cell_value } from './operations/set_cell_value.ts';
import { set_dimension_size } from './operations/set_dimension_size.ts';
import { set_filter } from './operations/set_filter.ts';
import { set_freeze } from './operations/set_freeze.ts';
import { set_link } from './operations/set_link.ts';
import { set_range_value } from './operations/set_range_value.ts';
import { set_range_value_by_csv } from './operations/set_range_value_by_csv.ts';
import { sort_range } from './operations/sort_range.ts';
import { unmerge_cell } from './operations/unmerge_cell.ts';
import { unset_freeze } from './operations/unset_freeze.ts';
import { update_chart } from './operations/update_chart.ts';
import { update_filter } from './operations/update_filter.ts';
import { update_pivot_table } from './operations/update_pivot_table.ts';
import { update_protect_range } from './operations/update_protect_range.ts';
import { validate_file_data } from './operations/validate_file_data.ts';
import { append_rows } from './extensions/append_rows.ts';
import { createBatchTool } from './extensions/batch.ts';
import { check } from './extensions/check.ts';
import { copy_range } from './extensions/copy_range.ts';
import { copy_sheet } from './extensions/copy_sheet.ts';
import { delete_image } from './extensions/delete_image.ts';
import { describe_sheet } from './extensions/describe_sheet.ts';
import { edit_rows } from './extensions/edit_rows.ts';
import { enter_cells } from './extensions/enter_cells.ts';
import { find_edge } from './extensions/find_edge.ts';
import { get_filters } from './extensions/get_filters.ts';
import { get_history } from './extensions/get_history.ts';
import { get_images } from './extensions/get_images.ts';
import { get_kept_objects } from './extensions/get_kept_objects.ts';
import { get_used_range } from './extensions/get_used_range.ts';
import { get_view } from './extensions/get_view.ts';
import { inspect } from './extensions/inspect.ts';
import { list_functions } from './extensions/list_functions.ts';
import { query } from './extensions/query.ts';
import { read } from './extensions/read.ts';
import { render_chart } from './extensions/render_chart.ts';
import { render_range } from './extensions/render_range.ts';
import { replace } from './extensions/replace.ts';
import { revert } from './extensions/revert.ts';
import { set_dimension_visible } from './extensions/set_dimension_visible.ts';
import { delete_object } from './extensions/delete_object.ts';
import { get_computed_formats } from './extensions/get_computed_formats.ts';
import { list_objects } from './extensions/list_objects.ts';
import { set_comment } from './extensions/set_comment.ts';
import { set_conditional_format } from './extensions/set_conditional_format.ts';
import { set_name } from './extensions/set_name.ts';
import { set_page_setup } from './extensions/set_page_setup.ts';
import { set_sheet_properties } from './extensions/set_sheet_properties.ts';
import { set_table } from './extensions/set_table.ts';
import { set_validation } from './extensions/set_validation.ts';
import { summarize_range } from './extensions/summarize_range.ts';
import { trace } from './extensions/trace.ts';
import { undo_revision } from './extensions/undo_revision.ts';
import { update_image } from './extensions/update_image.ts';
import { write } from './extensions/write.ts';
import type { Tool } from './calls/tool.ts';

/** Spreadsheet operations (tools) of the API specification, in the order of the specification. */
export const specifiedTools = {
  set_cell_value,
  set_range_value,
  set_range_value_by_csv,
  get_cell_data,
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
  set_filter,
  remove_filter,
  update_filter,
  sort_range,
  set_link,
  clear_link,
  insert_image,
  find,
  get_sheet_info,
  add_sheet,
  delete_sheet,
  rename_sheet,
  move_sheet,
  get_sheet_object_list,
  validate_file_data,
  add_chart,
  delete_chart,
  get_charts,
  update_chart,
  add_pivot_table,
  remove_pivot_table,
  get_pivot_table_detail,
  update_pivot_table,
  add_protect_range,
  update_protect_range,
  delete_protect_range,
  get_protect_ranges,
};

const extensions = {
  read,
  write,
  check,
  query,
  inspect,
  trace,
  edit_rows,
  batch: createBatchTool(() => tools),
  get_used_range,
  get_view,
  append_rows,
  replace,
  copy_range,
  copy_sheet,
  enter_cells,
  set_dimension_visible,
  render_chart,
  render_range,
  get_filters,
  get_images,
  get_kept_objects,
  update_image,
  delete_image,
  get_history,
  revert,
  undo_revision,
  describe_sheet,
  list_functions,
  summarize_range,
  find_edge,
  set_name,
  set_conditional_format,
  set_validation,
  set_comment,
  set_table,
  set_sheet_properties,
  set_page_setup,
  delete_object,
  list_objects,
  get_computed_formats,
};

export const toolList = { ...specifiedTools, ...extensions };

/** The tools, by name, that read or change an open document. They run in the worker thread that holds the document. */
export const tools: ReadonlyMap<string, Tool> = new Map(
  Object.entries(toolList).flatMap(([name, tool]) =>
    'work' in tool
      ? [[name, { ...(tool as unknown as Tool), isSpecified: Object.hasOwn(specifiedTools, name) }] as const]
      : [],
  ),
);
