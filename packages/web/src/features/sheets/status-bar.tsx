import { useEffect, useState, type ReactNode } from 'react';
import { useLanguage, useTranslation } from '../../i18n/use-translation.ts';
import { useStore } from '../../ui/store.ts';
import { regionFields } from './cell-geometry.ts';
import type { ActionContext } from './sheet-actions.ts';
import { selectedRanges, useSession, type ToolOutput } from './sheet-session.ts';

const settleMs = 120;

type Summary = Pick<ToolOutput<'summarize_range'>, 'sum' | 'average' | 'number_count' | 'filled_count'>;

/** Combines the summaries of several ranges. Cells in two ranges are counted twice. */
function combineSummaries(parts: readonly Summary[]): Summary {
  const all = (count: (part: Summary) => number): number => parts.reduce((sum, part) => sum + count(part), 0);
  const sum = all((part) => part.sum);
  const numbers = all((part) => part.number_count);
  return {
    sum,
    number_count: numbers,
    filled_count: all((part) => part.filled_count),
    ...(numbers === 0 ? {} : { average: sum / numbers }),
  };
}

/**
 * Shows sum, average and count of the selection. The server computes them, so that selections of any size are possible.
 */
export function StatusBar({ parts }: { parts: ActionContext }): ReactNode {
  const text = useTranslation();
  const language = useLanguage();
  const session = useSession();
  const selection = useStore(session.selection);
  const { range, others } = selection;
  const current = useStore(session.current);
  const change = useStore(parts.grid.changes);
  const [summary, setSummary] = useState<Summary>();
  const several = others.length > 0 || range.top !== range.bottom || range.left !== range.right;
  useEffect(() => {
    if (!several) {
      setSummary(undefined);
      return undefined;
    }
    const asking = new AbortController();
    const timer = setTimeout(() => {
      Promise.all(
        selectedRanges(selection).map((one) =>
          session.read(
            'summarize_range',
            { sheet_id: current, ...regionFields(one), visible_only: true },
            asking.signal,
          ),
        ),
      ).then(
        (answers) => setSummary(combineSummaries(answers)),
        (error: unknown) => {
          if (!asking.signal.aborted) console.info('summary', error);
        },
      );
    }, settleMs);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [session, current, selection, several, change]);
  const format = (number: number): string =>
    new Intl.NumberFormat(language, { maximumFractionDigits: 6 }).format(number);
  const parts2: [string, string][] =
    !several || !summary || summary.filled_count === 0
      ? []
      : summary.number_count === 0
        ? [[text('count'), format(summary.filled_count)]]
        : [
            [text('sum'), format(summary.sum)],
            [text('average'), format(summary.average ?? 0)],
            [text('count'), format(summary.filled_count)],
          ];
  return (
    <div
      role="status"
      aria-label={text('summary')}
      className="flex shrink-0 items-center gap-4 px-2 text-[0.8rem] whitespace-nowrap text-soft"
    >
      {parts2.map(([name, value]) => (
        <span key={name}>
          {name}: <span className="font-medium text-ink tabular-nums">{value}</span>
        </span>
      ))}
    </div>
  );
}
