import { sheaf } from '../../lib/api-client.ts';
import { documentInput, tabsInput } from '../../lib/first-inputs.ts';
import type { Tab } from './sheet-session.ts';

export async function readTabs(fileId: string): Promise<Tab[]> {
  const [{ sheets }, { sheets: properties = [] }] = await Promise.all([
    sheaf.sheet.get_sheet_info(documentInput(fileId)),
    sheaf.sheet.list_objects(tabsInput(fileId)),
  ]);
  const known = new Map(properties.map((one) => [one.sheet_id, one]));
  return sheets.map((one) => ({
    id: one.sheet_id,
    name: one.sheet_name,
    type: one.sheet_type,
    rows: one.row_count,
    cols: one.col_count,
    isHidden: (known.get(one.sheet_id)?.visibility ?? 'visible') !== 'visible',
    color: known.get(one.sheet_id)?.tab_color?.slice(-6),
  }));
}
