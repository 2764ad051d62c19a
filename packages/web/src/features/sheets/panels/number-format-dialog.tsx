import { useEffect, useState, type ReactNode } from 'react';
import type { MessageKey } from '../../../i18n/use-translation.ts';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { showErrorToast } from '../../../ui/toast.tsx';
import { regionFields, singleCellRange } from '../cell-geometry.ts';
import type { GridCommands } from '../grid-commands.ts';
import { useSheet } from '../sheet-session.ts';
import { TextField } from './panel-inputs.tsx';

type Format = (value: number, pattern: string) => string;

const groups: readonly { label: MessageKey; patterns: readonly string[]; sample: number }[] = [
  { label: 'formatGeneral', patterns: ['General', '@'], sample: 1234.5 },
  { label: 'formatNumber', patterns: ['0', '0.00', '#,##0', '#,##0.00', '#,##0.00;[Red]-#,##0.00'], sample: -1234.567 },
  {
    label: 'formatCurrency',
    patterns: ['¥#,##0.00', '$#,##0.00', '€#,##0.00', '£#,##0.00', '$#,##0.00;($#,##0.00)'],
    sample: 1234.5,
  },
  { label: 'formatPercent', patterns: ['0%', '0.00%'], sample: 0.4567 },
  {
    label: 'formatDate',
    patterns: ['yyyy-mm-dd', 'yyyy/m/d', 'd mmm yyyy', 'dddd, d mmmm yyyy', 'yyyy"年"m"月"d"日"', 'yyyy-mm-dd hh:mm'],
    sample: 46_341.6,
  },
  { label: 'formatTime', patterns: ['hh:mm', 'hh:mm:ss', 'h:mm AM/PM', '[h]:mm:ss'], sample: 0.6543 },
  { label: 'formatOther', patterns: ['0.00E+00', '# ?/?', '0.0,"k"', '0.0,,"M"', '000000'], sample: 12_345.6 },
];

/** Dialog to choose a number format. Each format is previewed with the active cell's value. */
export function NumberFormatDialog({ commands, onClose }: { commands: GridCommands; onClose: () => void }): ReactNode {
  const { session, text } = useSheet();
  const [pattern, setPattern] = useState('General');
  const [value, setValue] = useState<number>();
  const [format, setFormat] = useState<Format>();
  useEffect(() => {
    const read = async (): Promise<void> => {
      const { row, col } = session.selection.get().active;
      const place = { sheet_id: session.tab.id, ...regionFields(singleCellRange(row, col)) };
      const [{ cells = [] }, { cells: styles }, made] = await Promise.all([
        session.read('get_cell_data', place),
        session.read('get_cell_style', place),
        import('@sheaf/engine/internal/text'),
      ]);
      setValue(cells[0]?.number_value);
      setPattern(styles[0]?.number_format || 'General');
      setFormat(() => made.format);
    };
    void read().catch(showErrorToast);
  }, [session]);
  const shown = (sample: number, given: string): string => format?.(value ?? sample, given) ?? '';
  const apply = (): void => {
    commands.format({ number_format_pattern: pattern === 'General' ? '' : pattern });
    onClose();
  };
  const sample = groups.find((group) => group.patterns.includes(pattern))?.sample ?? 1234.5;
  return (
    <Dialog title={text('numberFormat')} onClose={onClose} width="medium">
      <form
        className="flex min-h-0 flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          apply();
        }}
      >
        <TextField
          label={text('formatPattern')}
          hint={format ? text('formatSample', { text: shown(sample, pattern) }) : undefined}
          className="font-mono"
          spellCheck={false}
          value={pattern}
          onChange={setPattern}
        />
        <div className="scroll-thin grid max-h-80 grid-cols-1 gap-x-6 gap-y-3 overflow-y-auto sm:grid-cols-2">
          {groups.map((group) => (
            <div key={group.label} role="group" aria-label={text(group.label)} className="flex flex-col">
              <h3 className="pb-1 text-sm font-medium text-soft">{text(group.label)}</h3>
              {group.patterns.map((one) => (
                <button
                  key={one}
                  type="button"
                  aria-pressed={one === pattern}
                  onClick={() => setPattern(one)}
                  className="flex items-baseline justify-between gap-3 rounded-md px-2 py-1 text-left text-sm hover:bg-hover aria-pressed:bg-accent-soft"
                >
                  <code className="text-xs text-faint">{one}</code>
                  <span className="truncate">{shown(group.sample, one)}</span>
                </button>
              ))}
            </div>
          ))}
        </div>
        <DialogActions action={text('apply')} disabled={pattern.trim() === ''} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
