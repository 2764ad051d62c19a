import { Check, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatTimeAgo } from '../../lib/format.ts';
import { useLanguage, useTranslation } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/button.tsx';
import { userColor } from '../sheets/user-color.ts';
import type { OpenChange } from './suggestions.ts';

interface SuggestedChangeProps {
  change: OpenChange;
  /** Display name of the author. */
  by: string;
  isActive: boolean;
  isBusy: boolean;
  /** Called when the change gets the focus or is pressed, to show its position in the note. */
  onShow: () => void;
  onDecide: (accept: boolean) => void;
}

/** A suggested change in the list: the removed and inserted text, and buttons to accept or refuse the change. */
export function SuggestedChange({ change, by, isActive, isBusy, onShow, onDecide }: SuggestedChangeProps): ReactNode {
  const text = useTranslation();
  const language = useLanguage();
  const isStale = change.at === undefined;
  return (
    <li
      data-change={change.key}
      tabIndex={-1}
      onFocus={() => !isActive && onShow()}
      onPointerDown={() => !isActive && onShow()}
      className={`flex flex-col gap-1.5 rounded-xl border bg-raised p-3 ${isActive ? 'border-accent' : 'border-line'}`}
    >
      <span className="flex flex-wrap items-center gap-x-2 text-soft">
        <span aria-hidden className="size-2 rounded-full" style={{ backgroundColor: userColor(change.who) }} />
        <span className="font-medium text-ink">{by}</span>
        {formatTimeAgo(change.time, language)}
      </span>
      <span className="max-h-40 overflow-y-auto break-words whitespace-pre-wrap">
        {change.old !== '' && (
          <del className="suggested" style={{ ['--author' as string]: userColor(change.who) }}>
            {change.old}
          </del>
        )}
        {change.insert !== '' && (
          <ins className="suggested ml-1" style={{ ['--author' as string]: userColor(change.who) }}>
            {change.insert.replace(/^\n+|\n+$/g, '') || '↵'}
          </ins>
        )}
      </span>
      {isStale && <span className="text-warn">{text('suggestionStale')}</span>}
      <span className="flex gap-1.5">
        <Button className="h-7 text-sm" disabled={isBusy || isStale} onClick={() => onDecide(true)}>
          <Check size={14} /> {text('accept')}
        </Button>
        <Button variant="quiet" className="h-7 text-sm" disabled={isBusy} onClick={() => onDecide(false)}>
          <X size={14} /> {text('refuse')}
        </Button>
      </span>
    </li>
  );
}
