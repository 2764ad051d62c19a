import { DecimalsArrowLeft, DecimalsArrowRight } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { ToolButton } from '../tool-button.tsx';
import { ToolMenu } from '../tool-menu.tsx';
import type { ToolbarGroupProps } from './format-menus.tsx';

/**
 * Number formats of a cell during repeated clicks on the buttons for more or fewer decimals: the original format, then
 * the formats sent to the server.
 */
interface Sent {
  readonly cell: string;
  readonly patterns: readonly string[];
}

const nothingSent: Sent = { cell: '', patterns: [] };

/** Entries of the number format menu, each with label, sample and pattern; null is a separator. */
const formats = [
  ['formatGeneral', '', ''],
  ['formatNumber', '1,234.56', '#,##0.00'],
  ['formatInteger', '1,235', '#,##0'],
  ['formatPercent', '12.34%', '0.00%'],
  ['formatCurrency', '$1,234.56', '$#,##0.00'],
  ['formatCurrency', '¥1,234.56', '¥#,##0.00'],
  ['formatScientific', '1.23E+03', '0.00E+00'],
  null,
  ['formatDate', '2026-05-01', 'yyyy-mm-dd'],
  ['formatTime', '14:30', 'hh:mm'],
  ['formatDateTime', '2026-05-01 14:30', 'yyyy-mm-dd hh:mm'],
  null,
  ['formatText', '', '@'],
] as const;

export function NumberTools({ text, tools: { commands }, look, locked, inGrid }: ToolbarGroupProps): ReactNode {
  const sent = useRef(nothingSent);
  useEffect(() => {
    if (sent.current.patterns.at(-1) === (look.numberFormat ?? '0')) sent.current = nothingSent;
  });
  const decimals = (more: number): void => {
    const { row, col } = commands.grid.session.selection.get().active;
    const cell = `${commands.grid.model.sheetId} ${row} ${col}`;
    const shownNow = look.numberFormat ?? '0';
    const before = sent.current;
    // The grid shows an older format until the server has responded to the previous click. In that case, change the
    // decimals of the format that was sent last.
    const isBehind = before.cell === cell && before.patterns.includes(shownNow);
    const patterns = isBehind ? before.patterns : [shownNow];
    const next = withDecimals(patterns.at(-1)!, more);
    sent.current = { cell, patterns: [...patterns.filter((one) => one !== next), next] };
    commands.format({ number_format_pattern: next });
  };
  const shown = nameOfFormat(look.numberFormat, text);
  return (
    <>
      <ToolMenu
        label={text('numberFormat')}
        value={shown}
        className="w-24 !justify-between px-2"
        disabled={locked}
        entries={formats.map(
          (format) =>
            format && {
              label: `${text(format[0])}  ${format[1]}`.trimEnd(),
              run: inGrid(() => commands.format({ number_format_pattern: format[2] })),
            },
        )}
      >
        <span className="truncate text-[0.867rem]">{shown}</span>
      </ToolMenu>
      <ToolButton label={text('fewerDecimals')} disabled={locked} onClick={inGrid(() => decimals(-1))}>
        <DecimalsArrowLeft size={16} />
      </ToolButton>
      <ToolButton label={text('moreDecimals')} disabled={locked} onClick={inGrid(() => decimals(1))}>
        <DecimalsArrowRight size={16} />
      </ToolButton>
    </>
  );
}

function nameOfFormat(pattern: string | undefined, text: ToolbarGroupProps['text']): string {
  if (pattern === undefined || pattern === 'General') return text('formatGeneral');
  if (pattern === '@') return text('formatText');
  if (pattern.includes('%')) return text('formatPercent');
  if (/[$¥€£]/.test(pattern)) return text('formatCurrency');
  if (/[yd]/i.test(pattern)) return text('formatDate');
  if (/h/i.test(pattern)) return text('formatTime');
  if (/E\+/.test(pattern)) return text('formatScientific');
  return text('formatNumber');
}

/**
 * Returns the number format with `more` decimals added to each of its sections, which are separated by `;`. If `more`
 * is negative, decimals are removed.
 */
export function withDecimals(pattern: string, more: number): string {
  return pattern
    .split(';')
    .map((section) =>
      // The digits of an exponent, after `E`, are not decimals.
      section.replace(/0(?:\.([0#?]*))?(?!(?:(?!E[+-]).)*0)/i, (_whole, decimals: string | undefined) => {
        const count = Math.max(0, Math.min(15, (decimals?.length ?? 0) + more));
        return count === 0 ? '0' : `0.${'0'.repeat(count)}`;
      }),
    )
    .join(';');
}
