import { Popover } from 'radix-ui';
import type { ReactNode, RefObject } from 'react';
import type { PopoverProps } from './popover.tsx';

export function OpenPopover({
  button,
  label,
  align,
  className = '',
  givesFocusBack = true,
  onClose,
  children,
}: PopoverProps): ReactNode {
  return (
    <Popover.Root open onOpenChange={(open) => !open && onClose()}>
      <Popover.Anchor virtualRef={button as RefObject<HTMLElement>} />
      <Popover.Portal>
        <Popover.Content
          align={align}
          sideOffset={5}
          collisionPadding={8}
          aria-label={label}
          className={`rise z-40 rounded-xl border border-line bg-raised p-3 shadow-float ${className}`}
          onKeyDown={(event) => event.stopPropagation()}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (givesFocusBack) button.current?.focus();
          }}
          // The button closes it itself; closed here already, it would open it again.
          onInteractOutside={(event) => button.current?.contains(event.target as Node) && event.preventDefault()}
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
