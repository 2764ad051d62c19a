import { DropdownMenu } from 'radix-ui';
import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { createPortal } from 'react-dom';
import { giveFocusBack } from './focus.ts';
import type { MenuEntry } from './menu.tsx';

interface Props {
  readonly trigger: RefObject<HTMLElement | null>;
  /** Where the pointer was, for a menu that stands there instead of at its button. */
  readonly at?: { readonly x: number; readonly y: number } | undefined;
  readonly labelledBy: string;
  readonly entries: readonly (MenuEntry | null | false)[];
  readonly align: 'start' | 'end';
  /** Opened by a key: that goes on in the first entry. */
  readonly byKey: boolean;
  readonly onClose: () => void;
}

/** A menu for as long as it is open; it stands at the button that opened it. */
export function OpenMenu({ trigger, at, labelledBy, entries, align, byKey, onClose }: Props): ReactNode {
  const [{ left, top, width, height }] = useState(() =>
    at ? new DOMRect(at.x, at.y, 0, 0) : trigger.current!.getBoundingClientRect(),
  );
  // A landmark, where readers of the screen look for it.
  const [container] = useState(() => document.getElementById('main') ?? document.body);
  const content = useRef<HTMLDivElement>(null);
  const isElsewhere = useRef(false);
  const chosen = useRef<MenuEntry>(undefined);
  const [before] = useState(() => document.activeElement);
  useEffect(() => {
    if (byKey) content.current?.querySelector<HTMLElement>('[role=menuitem]:not([data-disabled])')?.focus();
  }, [byKey]);
  return (
    <DropdownMenu.Root open modal={false} onOpenChange={(open) => !open && onClose()}>
      {createPortal(
        <DropdownMenu.Trigger asChild>
          <span aria-hidden className="pointer-events-none fixed" style={{ left, top, width, height }} />
        </DropdownMenu.Trigger>,
        document.body,
      )}
      <DropdownMenu.Portal container={container}>
        <DropdownMenu.Content
          ref={content}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          aria-labelledby={labelledBy}
          onInteractOutside={(event) => {
            isElsewhere.current = true;
            // The button closes its menu itself; closed here already, it would open it again.
            if (!at && trigger.current?.contains(event.target as Node)) event.preventDefault();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            // Whoever pressed on something else has the focus there.
            if (!isElsewhere.current || document.activeElement === document.body)
              giveFocusBack(trigger.current, before);
            // Not earlier: a dialog that it opens remembers where the focus was.
            chosen.current?.run();
          }}
          className={
            'rise scroll-thin z-40 max-h-(--radix-dropdown-menu-content-available-height) min-w-44 ' +
            'overflow-y-auto rounded-xl border border-line bg-raised p-1 shadow-float'
          }
        >
          {entries.map((entry, index) => {
            if (entry === false) return null;
            if (entry === null) return <DropdownMenu.Separator key={index} className="my-1 h-px bg-line" />;
            return (
              <DropdownMenu.Item
                key={index}
                disabled={entry.disabled ?? false}
                onSelect={() => {
                  chosen.current = entry;
                }}
                className={
                  'flex cursor-pointer items-center gap-2.5 rounded-lg px-2.5 py-1.5 text-[0.933rem] outline-none ' +
                  'data-[disabled]:opacity-50 data-[highlighted]:bg-hover pointer-coarse:py-2.5 ' +
                  `${entry.danger ? 'text-danger' : ''}`
                }
              >
                <span className="flex w-4 justify-center opacity-80">{entry.icon}</span>
                {entry.label}
              </DropdownMenu.Item>
            );
          })}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
