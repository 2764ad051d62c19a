import { ExternalLink, Pencil, Unlink } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { IconButton } from '../../../ui/button.tsx';
import { useStore } from '../../../ui/store.ts';
import { showErrorToast } from '../../../ui/toast.tsx';
import { CellOverlay } from '../grid-overlay.tsx';
import { openLink } from '../grid/grid-surface.tsx';
import { useRevisions, useSheet } from '../sheet-session.ts';
import { LinkDialog, readLinkAt, isSafeUrl } from './link-dialog.tsx';
import type { PanelProps } from './panel-state.ts';

const restMs = 120;

/**
 * A card below a selected cell that contains a link. It shows the URL and has buttons to open, edit or remove the link.
 */
export function LinkCard({ state }: PanelProps): ReactNode {
  const { session, text } = useSheet();
  const { active, range } = useStore(session.selection);
  const tab = useStore(session.current);
  const single = range.top === range.bottom && range.left === range.right;
  const [found, setFound] = useState<{ key: string; url: string }>();
  const [round, setRound] = useState(0);
  const key = `${tab}:${active.row}:${active.col}`;
  useRevisions(({ tool }) => {
    if (/link|batch|revert|csv|sort|dimension|range/.test(tool)) setRound((count) => count + 1);
  });
  useEffect(() => {
    if (!single) return undefined;
    let gone = false;
    const timer = setTimeout(() => {
      readLinkAt(session, active).then((url) => {
        if (!gone) setFound(url === undefined ? undefined : { key, url });
      }, showErrorToast);
    }, restMs);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [session, key, single, round]);
  if (!single || found?.key !== key) return null;
  const { url } = found;
  return (
    <CellOverlay row={active.row} col={active.col} className="pointer-events-none z-10">
      <div
        role="group"
        aria-label={text('link')}
        className={
          'rise pointer-events-auto absolute top-full left-0 mt-1.5 flex w-max max-w-80 items-center gap-1 ' +
          'rounded-xl border border-line bg-raised py-1 pr-1 pl-3 text-sm shadow-float'
        }
        onPointerDown={(event) => event.stopPropagation()}
      >
        {isSafeUrl(url) && !url.startsWith('#') ? (
          <a
            href={url}
            target="_blank"
            rel="noopener noreferrer"
            className="min-w-0 truncate text-accent underline underline-offset-2"
          >
            {url}
          </a>
        ) : (
          <span className="min-w-0 truncate">{url}</span>
        )}
        {isSafeUrl(url) && (
          <IconButton label={text('openLink')} className="size-7" onClick={() => openLink(session, url)}>
            <ExternalLink size={14} />
          </IconButton>
        )}
        {session.mayWrite && (
          <>
            <IconButton
              label={text('editLink')}
              className="size-7"
              onClick={() => state.dialog.set(<LinkDialog onClose={state.closeDialog} />)}
            >
              <Pencil size={14} />
            </IconButton>
            <IconButton
              label={text('removeLink')}
              className="size-7"
              onClick={() =>
                void session
                  .write('clear_link', { sheet_id: tab, row: active.row, col: active.col })
                  .then(() => setFound(undefined))
                  .catch(showErrorToast)
              }
            >
              <Unlink size={14} />
            </IconButton>
          </>
        )}
      </div>
    </CellOverlay>
  );
}
