import type { ReactNode } from 'react';
import { isMac } from '../../lib/keyboard-shortcuts.ts';
import { useTranslation, type MessageKey } from '../../i18n/use-translation.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { sheetActions, type ActionGroup } from './sheet-actions.ts';

const groupNames: Readonly<Record<ActionGroup, MessageKey>> = {
  move: 'keysMove',
  select: 'keysSelect',
  edit: 'keysEdit',
  format: 'format',
  structure: 'keysStructure',
  more: 'keysMore',
};

const signs: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  PageUp: 'PgUp',
  PageDown: 'PgDn',
  ContextMenu: '☰',
  ...(isMac ? { Ctrl: '⌘', Alt: '⌥', Shift: '⇧' } : {}),
};

export function ShortcutsDialog({ onClose }: { onClose: () => void }): ReactNode {
  const text = useTranslation();
  return (
    <Dialog title={text('shortcuts')} onClose={onClose} width="large">
      {/* Focusable, because otherwise the keyboard could not scroll the list. */}
      <div tabIndex={0} className="columns-1 gap-8 md:columns-2 xl:columns-3">
        {(Object.keys(groupNames) as ActionGroup[]).map((group) => (
          <section key={group} className="mb-5 break-inside-avoid-column">
            <h3 className="mb-1.5 font-medium">{text(groupNames[group])}</h3>
            <dl className="flex flex-col gap-1 text-[0.867rem]">
              {sheetActions
                .filter((one) => one.group === group && one.keys.length > 0)
                .map((one) => (
                  <div key={one.keys[0]} className="flex items-baseline justify-between gap-3">
                    <dt className="text-soft">{text(one.label)}</dt>
                    <dd className="flex flex-wrap justify-end gap-1">
                      {one.keys.map((key) => (
                        <Keys key={key} name={key} />
                      ))}
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

function Keys({ name }: { name: string }): ReactNode {
  return (
    <kbd className="rounded border border-line bg-panel px-1.5 font-sans text-[0.8rem] whitespace-nowrap">
      {name
        .split(/([+ ])(?=.)/)
        .map((part) => signs[part] ?? part)
        .join('')}
    </kbd>
  );
}
