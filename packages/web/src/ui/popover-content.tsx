import { Popover } from 'radix-ui';
import { useRef, type ReactNode, type RefObject } from 'react';
import { restoreFocus } from './restore-focus.ts';
import type { PopoverProps } from './popover.tsx';

export function PopoverContent({ button, label, align, className = '', onClose, children }: PopoverProps): ReactNode {
  const isElsewhere = useRef(false);
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
            if (!isElsewhere.current || document.activeElement === document.body) restoreFocus(button.current);
          }}
          onInteractOutside={(event) => {
            isElsewhere.current = true;
            // A press on the button closes the popover through the button's own handler. If the popover were closed
            // here first, the button would open it again.
            if (button.current?.contains(event.target as Node)) event.preventDefault();
          }}
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
