import { useEffect, useState, type ReactNode } from 'react';
import { errorMessage } from '../../../lib/api-client.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogButtons } from '../../../ui/dialog.tsx';
import { showErrorToast } from '../../../ui/toast.tsx';
import { regionFields, singleCellRange, type Cell } from '../cell-geometry.ts';
import { useSheet, type SheetSession, type ToolOutput } from '../sheet-session.ts';
import { TextField } from './panel-inputs.tsx';

/** Returns whether a link is a web, mail or in-document link. Other schemes such as `javascript:` are unsafe. */
export function isSafeUrl(url: string): boolean {
  return /^(https?:\/\/|mailto:)/i.test(url.trim()) || url.startsWith('#');
}

function readCell(session: SheetSession, { row, col }: Cell): Promise<ToolOutput<'get_view'>> {
  return session.read('get_view', { sheet_id: session.tab.id, ...regionFields(singleCellRange(row, col)) });
}

export async function readLinkAt(session: SheetSession, cell: Cell): Promise<string | undefined> {
  return (await readCell(session, cell)).links[0]?.[2];
}

export function LinkDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { session, text } = useSheet();
  const { active } = session.selection.get();
  // The URL and text that the user has typed. While they are undefined, the URL and text of the cell are shown. These
  // are read from the server and may arrive after the user has started to type.
  const [typedUrl, setUrl] = useState<string>();
  const [typedText, setShown] = useState<string>();
  const [found, setFound] = useState<{ url?: string; text: string }>();
  const [error, setError] = useState<string>();
  useEffect(() => {
    const read = async (): Promise<void> => {
      const { cells, links } = await readCell(session, active);
      const url = links[0]?.[2];
      setFound({ text: cells[0]?.[2] ?? '', ...(url === undefined ? {} : { url }) });
    };
    void read().catch(showErrorToast);
  }, [session, active.row, active.col]);
  const url = typedUrl ?? found?.url ?? '';
  const shown = typedText ?? found?.text ?? '';
  const place = { sheet_id: session.tab.id, row: active.row, col: active.col };
  const save = async (): Promise<void> => {
    const address = /^[a-z][a-z+.-]*:|^#/i.test(url.trim()) ? url.trim() : `https://${url.trim()}`;
    try {
      await session.write('set_link', { ...place, url: address, ...(shown === '' ? {} : { display_text: shown }) });
      onClose();
    } catch (error) {
      setError(errorMessage(error));
    }
  };
  const clear = async (): Promise<void> => {
    await session.write('clear_link', place);
    onClose();
  };
  return (
    <Dialog title={text('link')} onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <TextField
          label={text('linkAddress')}
          error={error}
          hint={text('linkHint')}
          value={url}
          spellCheck={false}
          placeholder="https://"
          onChange={setUrl}
        />
        <TextField label={text('linkText')} value={shown} onChange={setShown} />
        <DialogButtons>
          {found?.url !== undefined && (
            <Button variant="danger" onClick={() => void clear().catch(showErrorToast)}>
              {text('removeLink')}
            </Button>
          )}
          <Button variant="quiet" onClick={onClose}>
            {text('cancel')}
          </Button>
          <Button type="submit" variant="primary" disabled={url.trim() === ''}>
            {text('save')}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
