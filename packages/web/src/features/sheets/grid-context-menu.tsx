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
  type LucideIcon,
} from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useMemo, useRef, type ReactNode } from 'react';
import type { MessageKey, Translate } from '../../i18n/use-translation.ts';
import { showErrorToast } from '../../ui/toast.tsx';
import { parseClipboard, isSameClipboardText } from './grid/clipboard-content.ts';
import { spanOf, type AxisName } from './multi-range.ts';
import { selectionKind } from './selection-ranges.ts';
import { runAction, shortcutOf, type ActionContext } from './sheet-actions.ts';
import { useSheet, type Action, type ActionPlace } from './sheet-session.ts';

type MenuAction = Omit<Action, 'places'>;

const hasKeyboard = !matchMedia('(pointer: coarse) and (hover: none)').matches;

/** The grid's context menu. It opens at the pointer, or below the selection if opened with a key. */
export function GridContextMenu({
  tools,
  place,
  onClose,
}: {
  tools: ActionContext;
  place: { x: number; y: number };
  onClose: () => void;
}): ReactNode {
  const { session, text } = useSheet();
  const chosen = useRef<() => void>(undefined);
  const groups = useMemo(() => groupsFor(tools, text).filter((group) => group.length > 0), [tools, place, text]);
  return (
    <DropdownMenu.Root open onOpenChange={(open) => !open && onClose()} modal={false}>
      <DropdownMenu.Trigger asChild>
        <span aria-hidden className="pointer-events-none absolute size-0" style={{ left: place.x, top: place.y }} />
      </DropdownMenu.Trigger>
      {/* Rendered inside a landmark (main), where screen readers expect content. */}
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
            // Run the chosen action only after the cells have the focus again. The action may open a dialog, and a
            // dialog that closes returns the focus to the element that had it when the dialog was opened.
            chosen.current?.();
          }}
        >
          {groups.map((group, index) => (
            <div key={index} role="group">
              {index > 0 && <DropdownMenu.Separator className="my-1 h-px bg-line" />}
              {group.map(({ icon: Icon, ...action }) => (
                <DropdownMenu.Item
                  key={action.id}
                  disabled={action.disabled ?? false}
                  onSelect={() => {
                    chosen.current = action.run;
                  }}
                  className={
                    'flex cursor-pointer items-center gap-2.5 rounded-lg px-2.5 py-1 text-[0.9rem] outline-none ' +
                    'data-[disabled]:opacity-50 data-[highlighted]:bg-hover pointer-coarse:py-2.5 ' +
                    `${action.danger ? 'text-danger' : ''}`
                  }
                >
                  <span className="flex w-4 justify-center opacity-80">
                    <Icon size={15} />
                  </span>
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

const lineActions = {
  row: {
    before: ['insertAbove', ArrowUpToLine],
    after: ['insertBelow', ArrowDownToLine],
    remove: 'deleteRows',
    hide: 'hideRows',
    show: 'showRows',
  },
  col: {
    before: ['insertLeft', ArrowLeftToLine],
    after: ['insertRight', ArrowRightToLine],
    remove: 'deleteColumns',
    hide: 'hideColumns',
    show: 'showColumns',
  },
} as const;

function groupsFor(tools: ActionContext, text: Translate): (readonly MenuAction[])[] {
  const { grid, commands, typing } = tools;
  const { session } = grid;
  const kind = selectionKind(grid);
  const named = (label: MessageKey, icon: LucideIcon, run: () => void): MenuAction => {
    // Touch devices have no keyboard, so no shortcut is shown.
    const shortcut = hasKeyboard ? shortcutOf(label) : undefined;
    return { id: label, label: shortcut === undefined ? text(label) : `${text(label)}  ${shortcut}`, icon, run };
  };
  const command = (name: 'copy' | 'cut') => (): void => {
    typing.takeFocus();
    // In the next frame the grid's text field has the focus again and handles the clipboard event.
    requestAnimationFrame(() => document.execCommand(name));
  };
  const paste = (what: 'all' | 'values') => (): void => void pasteFromClipboard(tools, what).catch(showErrorToast);
  const copy = named('copy', Copy, command('copy'));
  const hasHidden = (axis: AxisName): boolean => {
    const along = grid.model.axis(axis);
    const [first, last] = spanOf(commands.range, axis);
    for (let at = Math.max(0, first - 1); at <= Math.min(along.count - 1, last + 1, first + 2000); at++)
      if (along.isHidden(at)) return true;
    return false;
  };
  const lines = (axis: AxisName): MenuAction[] => {
    const { before, after, remove } = lineActions[axis];
    const { inserted, removed } = commands.counts(axis);
    const insert = ([label, icon]: typeof before | typeof after, isAfter: boolean): MenuAction => ({
      id: label,
      label: text(label, { count: inserted }),
      icon,
      run: () => commands.insert(axis, isAfter),
    });
    return [
      insert(before, false),
      insert(after, true),
      {
        id: remove,
        label: text(remove, { count: removed }),
        icon: Trash2,
        danger: true,
        run: () => commands.remove(axis),
      },
    ];
  };
  const visibility = (axis: AxisName): MenuAction[] => {
    const { hide, show } = lineActions[axis];
    const all = [named(hide, EyeOff, () => commands.setVisible(axis, false))];
    return hasHidden(axis) ? [...all, named(show, Eye, () => commands.setVisible(axis, true))] : all;
  };
  const registered = (...places: readonly ActionPlace[]): readonly Action[] =>
    session.actions.get().filter((one) => one.places.some((place) => places.includes(place)));
  const more = [
    registered('contextSort'),
    kind === 'cells' ? registered('contextCells', 'contextMore') : registered('contextMore'),
  ];
  if (!session.mayWrite) return [[copy], ...more];
  return [
    [
      named('cut', Scissors, command('cut')),
      copy,
      named('paste', ClipboardPaste, paste('all')),
      named('pasteValues', ClipboardType, paste('values')),
    ],
    [...(kind === 'cols' ? [] : lines('row')), ...(kind === 'rows' ? [] : lines('col'))],
    kind === 'rows' ? visibility('row') : kind === 'cols' ? visibility('col') : [],
    [
      named('clearCells', Eraser, () => runAction('keyClear', tools)),
      named('clearFormat', RemoveFormatting, () => runAction('clearFormat', tools)),
    ],
    ...more,
  ];
}

async function pasteFromClipboard({ grid, commands }: ActionContext, what: 'all' | 'values'): Promise<void> {
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
