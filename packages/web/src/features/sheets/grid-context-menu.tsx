import {
  ArrowDownToLine,
  ArrowLeftToLine,
  ArrowRightToLine,
  ArrowUpToLine,
  ClipboardPaste,
  ClipboardType,
  Copy,
  Eraser,
  Eye,
  EyeOff,
  RemoveFormatting,
  Scissors,
  Trash2,
} from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useMemo, useRef, type ReactNode } from 'react';
import { commandKeyLabel } from '../../lib/keyboard-shortcuts.ts';
import { useTranslation, type Translate } from '../../i18n/use-translation.ts';
import { showErrorToast } from '../../ui/toast.tsx';
import { parseClipboard, isSameClipboardText } from './grid/clipboard-content.ts';
import type { GridControllers } from './grid/grid-surface.tsx';
import { useSession, type Action } from './sheet-session.ts';

/** The grid's context menu, at the pointer or, if opened by a key, below the selection. */
export function GridContextMenu({
  parts,
  place,
  onClose,
}: {
  parts: GridControllers;
  place: { x: number; y: number };
  onClose: () => void;
}): ReactNode {
  const text = useTranslation();
  const session = useSession();
  const chosen = useRef<Action>(undefined);
  const groups = useMemo((): readonly (readonly Action[])[] => {
    const kind = parts.commands.kind;
    const more = session.contextMenu.get().map((ask) => ask({ kind, selection: session.selection.get() }));
    return [...ownGroups(parts, text), ...more].filter((group) => group.length > 0);
  }, [parts, place, session, text]);
  return (
    <DropdownMenu.Root open onOpenChange={(open) => !open && onClose()} modal={false}>
      <DropdownMenu.Trigger asChild>
        <span aria-hidden className="pointer-events-none absolute size-0" style={{ left: place.x, top: place.y }} />
      </DropdownMenu.Trigger>
      {/* The menu is rendered inside a landmark. */}
      <DropdownMenu.Portal container={document.getElementById('main')}>
        <DropdownMenu.Content
          align="start"
          sideOffset={2}
          collisionPadding={8}
          aria-label={text('actions')}
          className={
            'rise scroll-thin z-40 max-h-(--radix-dropdown-menu-content-available-height) min-w-56 ' +
            'overflow-y-auto rounded-xl border border-line bg-raised p-1 shadow-float'
          }
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            session.focusCells();
            // Run the action only now, after the focus is restored, because a dialog it opens records where the focus
            // was.
            chosen.current?.run();
          }}
        >
          {groups.map((group, index) => (
            <div key={index} role="group">
              {index > 0 && <DropdownMenu.Separator className="my-1 h-px bg-line" />}
              {group.map((action) => (
                <DropdownMenu.Item
                  key={action.id}
                  disabled={action.disabled ?? false}
                  onSelect={() => {
                    chosen.current = action;
                  }}
                  className={
                    'flex cursor-pointer items-center gap-2.5 rounded-lg px-2.5 py-1 text-[0.9rem] outline-none ' +
                    'data-[disabled]:opacity-50 data-[highlighted]:bg-hover pointer-coarse:py-2.5 ' +
                    `${action.danger ? 'text-danger' : ''}`
                  }
                >
                  <span className="flex w-4 justify-center opacity-80">{action.icon}</span>
                  {action.label}
                </DropdownMenu.Item>
              ))}
            </div>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function ownGroups({ grid, commands, typing }: GridControllers, text: Translate): Action[][] {
  const { session } = grid;
  const { top, left, bottom, right } = commands.range;
  const { inserted: insertRows, removed: deleteRows } = commands.counts('row');
  const { inserted: insertCols, removed: deleteCols } = commands.counts('col');
  const counts = { insertRows, insertCols, deleteRows, deleteCols };
  const kind = commands.kind;
  const command = (name: 'copy' | 'cut') => (): void => {
    typing.takeFocus();
    // The grid's field has the focus and handles the resulting clipboard event.
    requestAnimationFrame(() => document.execCommand(name));
  };
  const copy: Action = {
    id: 'copy',
    label: `${text('copy')}  ${commandKeyLabel}+C`,
    icon: <Copy size={15} />,
    run: command('copy'),
  };
  if (!session.mayWrite) return [[copy]];
  const paste = (what: 'all' | 'values') => (): void =>
    void pasteFromClipboard({ grid, commands, typing }, what).catch(showErrorToast);
  const hidden = (axis: 'row' | 'col'): boolean => {
    const along = axis === 'row' ? grid.model.rows : grid.model.cols;
    const [first, last] = axis === 'row' ? [top, bottom] : [left, right];
    for (let at = Math.max(0, first - 1); at <= Math.min(along.count - 1, last + 1, first + 2000); at++)
      if (along.isHidden(at)) return true;
    return false;
  };
  const rowActions: Action[] = [
    {
      id: 'insert-above',
      label: text('insertAbove', { count: counts.insertRows }),
      icon: <ArrowUpToLine size={15} />,
      run: () => commands.insert('row', false),
    },
    {
      id: 'insert-below',
      label: text('insertBelow', { count: counts.insertRows }),
      icon: <ArrowDownToLine size={15} />,
      run: () => commands.insert('row', true),
    },
    {
      id: 'delete-rows',
      label: text('deleteRows', { count: counts.deleteRows }),
      icon: <Trash2 size={15} />,
      danger: true,
      run: () => commands.remove('row'),
    },
  ];
  const colActions: Action[] = [
    {
      id: 'insert-left',
      label: text('insertLeft', { count: counts.insertCols }),
      icon: <ArrowLeftToLine size={15} />,
      run: () => commands.insert('col', false),
    },
    {
      id: 'insert-right',
      label: text('insertRight', { count: counts.insertCols }),
      icon: <ArrowRightToLine size={15} />,
      run: () => commands.insert('col', true),
    },
    {
      id: 'delete-cols',
      label: text('deleteColumns', { count: counts.deleteCols }),
      icon: <Trash2 size={15} />,
      danger: true,
      run: () => commands.remove('col'),
    },
  ];
  const visibility = (axis: 'row' | 'col'): Action[] => [
    {
      id: `hide-${axis}`,
      label: text(axis === 'row' ? 'hideRows' : 'hideColumns'),
      icon: <EyeOff size={15} />,
      run: () => commands.setVisible(axis, false),
    },
    ...(hidden(axis)
      ? [
          {
            id: `show-${axis}`,
            label: text(axis === 'row' ? 'showRows' : 'showColumns'),
            icon: <Eye size={15} />,
            run: () => commands.setVisible(axis, true),
          },
        ]
      : []),
  ];
  return [
    [
      { id: 'cut', label: `${text('cut')}  ${commandKeyLabel}+X`, icon: <Scissors size={15} />, run: command('cut') },
      copy,
      {
        id: 'paste',
        label: `${text('paste')}  ${commandKeyLabel}+V`,
        icon: <ClipboardPaste size={15} />,
        run: paste('all'),
      },
      { id: 'paste-values', label: text('pasteValues'), icon: <ClipboardType size={15} />, run: paste('values') },
    ],
    [...(kind === 'cols' ? [] : rowActions), ...(kind === 'rows' ? [] : colActions)],
    [...(kind === 'rows' ? visibility('row') : []), ...(kind === 'cols' ? visibility('col') : [])],
    [
      { id: 'clear', label: text('clearCells'), icon: <Eraser size={15} />, run: () => commands.clear() },
      {
        id: 'clear-format',
        label: text('clearFormat'),
        icon: <RemoveFormatting size={15} />,
        run: () => commands.clearStyles(),
      },
    ],
  ];
}

async function pasteFromClipboard({ grid, commands }: GridControllers, what: 'all' | 'values'): Promise<void> {
  const items = window.isSecureContext ? await navigator.clipboard.read() : [];
  const read = async (type: string): Promise<string> => {
    const item = items.find((one) => one.types.includes(type));
    return item ? (await item.getType(type)).text() : '';
  };
  const plain = await read('text/plain');
  if (grid.copied && (items.length === 0 || isSameClipboardText(grid.copied.text, plain))) {
    commands.pasting.pasteCopied(what);
    return;
  }
  const html = await read('text/html');
  commands.pasting.pasteGiven(parseClipboard(html, plain), what);
}
