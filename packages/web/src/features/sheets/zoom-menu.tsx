import type { ReactNode } from 'react';
import { useSetting } from '../../lib/browser-storage.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { ToolMenu } from './tool-menu.tsx';
import { zoom, zoomSteps } from './zoom.ts';

export function ZoomMenu(): ReactNode {
  const text = useTranslation();
  const now = useSetting(zoom);
  return (
    <ToolMenu
      label={text('zoom')}
      value={`${now}%`}
      disabled={false}
      className="px-1.5"
      entries={zoomSteps.map((step) => ({ label: `${step}%`, run: () => zoom.set(step) }))}
    >
      <span className="text-[0.8rem] tabular-nums">{now}%</span>
    </ToolMenu>
  );
}
