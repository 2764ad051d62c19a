import { createContext, use, type ReactNode } from 'react';
import { createPortal } from 'react-dom';

/** The side bar element into which a page renders its own navigation tree; null if there is no side bar. */
export const SidebarSlot = createContext<HTMLElement | null>(null);

export function InSidebar({ children }: { children: ReactNode }): ReactNode {
  const slot = use(SidebarSlot);
  return slot ? createPortal(children, slot) : null;
}
