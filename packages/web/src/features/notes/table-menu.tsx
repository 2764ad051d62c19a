import type { Editor } from '@tiptap/react';
import {
  BetweenHorizontalEnd,
  BetweenHorizontalStart,
  BetweenVerticalEnd,
  BetweenVerticalStart,
  Grid3x3,
  Trash2,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';

export function TableMenu({ editor }: { editor: Editor }): ReactNode {
  const text = useTranslation();
  const chain = (): ReturnType<Editor['chain']> => editor.chain().focus();
  return (
    <Menu
      trigger={
        <Button variant="quiet" className="h-8">
          <Grid3x3 size={16} /> {text('tableTools')}
        </Button>
      }
      entries={[
        // A Markdown table has exactly one header row, the first row. Inserting a row above it is therefore disabled.
        {
          label: text('rowAbove'),
          icon: <BetweenHorizontalStart size={15} />,
          disabled: editor.isActive('tableHeader'),
          run: () => chain().addRowBefore().run(),
        },
        { label: text('rowBelow'), icon: <BetweenHorizontalEnd size={15} />, run: () => chain().addRowAfter().run() },
        {
          label: text('columnBefore'),
          icon: <BetweenVerticalStart size={15} />,
          run: () => chain().addColumnBefore().run(),
        },
        {
          label: text('columnAfter'),
          icon: <BetweenVerticalEnd size={15} />,
          run: () => chain().addColumnAfter().run(),
        },
        null,
        {
          label: text('deleteRow'),
          icon: <Trash2 size={15} />,
          disabled: editor.isActive('tableHeader'),
          run: () => chain().deleteRow().run(),
        },
        { label: text('deleteColumn'), icon: <Trash2 size={15} />, run: () => chain().deleteColumn().run() },
        {
          label: text('deleteTable'),
          icon: <Trash2 size={15} />,
          danger: true,
          run: () => chain().deleteTable().run(),
        },
      ]}
    />
  );
}
