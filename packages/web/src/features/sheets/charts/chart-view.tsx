import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { showErrorToast } from '../../../ui/toast.tsx';
import type { Drawing } from './render-chart.ts';
import { chartKinds } from './chart-kinds.tsx';

type ChartInstance = ReturnType<typeof import('./render-chart.ts').renderChart>;

const maxSpoken = 12;

/** Renders a chart. The chart library is loaded with the first chart. */
export function ChartView({ drawing }: { drawing: Drawing }): ReactNode {
  const text = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const drawn = useRef<ChartInstance>(undefined);
  const latest = useRef(drawing);
  latest.current = drawing;
  const dark = useDark();
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    let gone = false;
    const sizes = new ResizeObserver(() => drawn.current?.resize());
    import('./render-chart.ts').then(({ renderChart }) => {
      if (gone) return;
      drawn.current = renderChart(element, dark);
      drawn.current.show(latest.current);
      sizes.observe(element);
    }, showErrorToast);
    return () => {
      gone = true;
      sizes.disconnect();
      drawn.current?.dispose();
      drawn.current = undefined;
    };
  }, [dark]);
  const told = JSON.stringify(drawing);
  useEffect(() => {
    drawn.current?.show(latest.current);
  }, [told]);
  const kind = chartKinds.find(({ type }) => type === drawing.type);
  const spoken = drawing.data.series.slice(0, maxSpoken).map(
    ({ name, values }) =>
      `${name}: ${values
        .slice(0, maxSpoken)
        .map((value) => value ?? '–')
        .join(', ')}`,
  );
  return (
    <div
      ref={box}
      role="img"
      aria-label={[kind ? text(kind.label) : '', drawing.options.title.text, ...spoken]
        .filter((part) => part !== '')
        .join('. ')}
      className="size-full"
    />
  );
}

function useDark(): boolean {
  const [dark, setDark] = useState(isDark);
  useEffect(() => {
    const look = (): void => setDark(isDark());
    const system = matchMedia('(prefers-color-scheme: dark)');
    system.addEventListener('change', look);
    const chosen = new MutationObserver(look);
    chosen.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    return () => {
      system.removeEventListener('change', look);
      chosen.disconnect();
    };
  }, []);
  return dark;
}

function isDark(): boolean {
  return (
    getComputedStyle(document.documentElement).colorScheme === 'dark' ||
    (getComputedStyle(document.documentElement).colorScheme !== 'light' &&
      matchMedia('(prefers-color-scheme: dark)').matches)
  );
}
