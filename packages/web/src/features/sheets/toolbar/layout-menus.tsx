import { Columns3, PanelTop, Rows3, TableCellsMerge, TableCellsSplit } from 'lucide-react';
import type { ReactNode } from 'react';
import { cellName, type CellRange } from '../cell-geometry.ts';
import { ToolMenu } from '../tool-menu.tsx';
import type { ToolbarGroupProps } from './toolbar-group-props.ts';

export function MergeMenu({ tools, merged }: { tools: ToolbarGroupProps; merged: boolean }): ReactNode {
  const { text, commands, entry, menu } = tools;
  return (
    <ToolMenu
      label={text('merge')}
      pressed={merged || undefined}
      {...menu}
      entries={[
        entry(text('mergeAll'), () => commands.merge('all'), <TableCellsMerge size={15} />),
        entry(text('mergeRows'), () => commands.merge('rows'), <Rows3 size={15} />),
        entry(text('mergeColumns'), () => commands.merge('columns'), <Columns3 size={15} />),
        null,
        entry(text('unmerge'), () => commands.merge('none'), <TableCellsSplit size={15} />),
      ]}
    >
      <TableCellsMerge size={16} />
    </ToolMenu>
  );
}

export function FreezeMenu({
  tools,
  frozen,
  range,
}: {
  tools: ToolbarGroupProps;
  frozen: boolean;
  range: CellRange;
}): ReactNode {
  const { text, commands, entry, menu } = tools;
  return (
    <ToolMenu
      label={text('freeze')}
      pressed={frozen || undefined}
      {...menu}
      entries={[
        entry(text('freezeRow'), () => commands.freeze(1, 0)),
        entry(text('freezeColumn'), () => commands.freeze(0, 1)),
        entry(text('freezeBoth', { cell: cellName(range.top, range.left) }), () =>
          commands.freeze(range.top, range.left),
        ),
        frozen && null,
        frozen && entry(text('unfreeze'), () => commands.freeze(0, 0)),
      ]}
    >
      <PanelTop size={16} />
    </ToolMenu>
  );
}
