import { DropdownMenu } from 'radix-ui';
import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { createPortal } from 'react-dom';
import { restoreFocus } from './restore-focus.ts';
import { showErrorToast } from './toast.tsx';
import type { MenuEntry } from './menu.tsx';

interface Props {
  readonly trigger: RefObject<HTMLElement | null>;
  /** Pointer position at which the menu opens. If undefined, it opens at its button. */
  readonly at?: { readonly x: number; readonly y: number } | undefined;
  readonly labelledBy: string;
  readonly entries: readonly (MenuEntry | null | false)[];
  readonly align: 'start' | 'end';
  /** True if the menu was opened with a key. The first entry then gets the focus. */
  readonly byKey: boolean;
  readonly onClose: () => void;
}

export function MenuPopup({ trigger, at, labelledBy, entries, align, byKey, onClose }: Props): ReactNode {
  const [{ left, top, width, height }] = useState(() =>
    at ? new DOMRect(at.x, at.y, 0, 0) : trigger.current!.getBoundingClientRect(),
  );
  // Render the menu inside a landmark (main), where screen readers expect content.
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
            // A press on the button closes the menu through the button's own handler. If the menu were closed here
            // first, the button would open it again.
            if (!at && trigger.current?.contains(event.target as Node)) event.preventDefault();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            // Restore the focus, unless the user pressed another element, which already has the focus.
            if (!isElsewhere.current || document.activeElement === document.body) restoreFocus(trigger.current, before);
            // Run the chosen entry only after the focus is restored. The entry may open a dialog, and a dialog that
            // closes returns the focus to the element that had it when the dialog was opened.
            Promise.resolve(chosen.current?.run()).catch(showErrorToast);
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
