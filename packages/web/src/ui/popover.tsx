import type { ReactNode, RefObject } from 'react';
import { late } from './late.tsx';

export interface PopoverProps {
  /** The button that opens and closes it: it stands there. */
  readonly button: RefObject<HTMLElement | null>;
  readonly label: string;
  readonly align: 'start' | 'end';
  readonly className?: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

const OpenPopover = late(async () => (await import('./open-popover.tsx')).OpenPopover);

/** Something small over the page, until one goes elsewhere. What makes it comes when it is first opened. */
export function Popover(props: PopoverProps): ReactNode {
  return <OpenPopover {...props} />;
}
