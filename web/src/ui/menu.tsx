import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';

export interface MenuEntry {
  label: string;
  icon?: ReactNode;
  run: () => void;
  danger?: boolean | undefined;
  disabled?: boolean | undefined;
}

/**
 * `null` in the list is a line between two groups.
 * With `onClosed` the focus goes where that puts it, not back to the trigger.
 */
export function Menu({ trigger, entries, align = 'end', onClosed }: { trigger: ReactNode; entries: readonly (MenuEntry | null | false)[]; align?: 'start' | 'end'; onClosed?: () => void }): ReactNode {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={(event) => {
            if (!onClosed) return;
            event.preventDefault();
            onClosed();
          }}
          className="rise z-40 min-w-44 rounded-xl border border-line bg-raised p-1 shadow-float"
        >
          {entries.map((entry, index) => {
            if (entry === false) return null;
            if (entry === null) return <DropdownMenu.Separator key={index} className="my-1 h-px bg-line" />;
            return (
              <DropdownMenu.Item
                key={index}
                disabled={entry.disabled ?? false}
                // After the menu has given the focus back: what runs may take it.
                onSelect={() => setTimeout(entry.run)}
                className={`flex cursor-pointer items-center gap-2.5 rounded-lg px-2.5 py-1.5 text-[0.933rem] outline-none data-[disabled]:opacity-50 data-[highlighted]:bg-hover pointer-coarse:py-2.5 ${entry.danger ? 'text-danger' : ''}`}
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
