import type { ReactNode, RefObject } from 'react';
import { lazyComponent } from './lazy.tsx';

export interface PopoverProps {
  /** The button that opens and closes the popover. The popover is positioned next to it. */
  readonly button: RefObject<HTMLElement | null>;
  readonly label: string;
  readonly align: 'start' | 'end';
  readonly className?: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

const PopoverContent = lazyComponent(async () => (await import('./popover-content.tsx')).PopoverContent);

/**
 * A small panel over the page. It closes when the user clicks or focuses another element. Its code is loaded when it is
 * first opened.
 */
export function Popover(props: PopoverProps): ReactNode {
  return <PopoverContent {...props} />;
}
