import type { ReactNode } from 'react';
import { ToolButton } from '../tool-button.tsx';

export function Toggle({
  label,
  on,
  disabled,
  run,
  children,
}: {
  label: string;
  on: boolean;
  disabled: boolean;
  run: () => void;
  children: ReactNode;
}): ReactNode {
  return (
    <ToolButton label={label} pressed={on} disabled={disabled} onClick={run}>
      {children}
    </ToolButton>
  );
}
