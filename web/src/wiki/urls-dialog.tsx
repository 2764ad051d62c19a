import { useState, type ReactNode } from 'react';
import { messageOf, sheaf } from '../lib/client.ts';
import { useText } from '../text/use-text.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogButtons } from '../ui/dialog.tsx';
import { Field, TextArea } from '../ui/field.tsx';
import { say } from '../ui/toast.tsx';
import { refreshBase } from './queries.ts';

const maxAtOnce = 10;

export function UrlsDialog({
  base,
  folder,
  onClose,
}: {
  base: string;
  folder: string;
  onClose: () => void;
}): ReactNode {
  const text = useText();
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const urls = [...new Set(typed.split(/\s+/).filter((url) => url !== ''))];
  const add = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      const refused: string[] = [];
      for (let start = 0; start < urls.length; start += maxAtOnce) {
        const { results } = await sheaf.wiki.import_urls({
          knowledge_base_id: base,
          folder_id: folder,
          urls: urls.slice(start, start + maxAtOnce),
        });
        refused.push(
          ...Object.entries(results)
            .filter(([, result]) => result.ret_code !== 0)
            .map(([url]) => url),
        );
      }
      await refreshBase(base);
      if (refused.length < urls.length) say(text('urlsAdded', { count: urls.length - refused.length }));
      if (refused.length === 0) onClose();
      else {
        setTyped(refused.join('\n'));
        setError(text('urlsRefused'));
      }
    } catch (error) {
      setError(messageOf(error));
    }
    setBusy(false);
  };
  return (
    <Dialog title={text('addUrls')} onClose={onClose} width="medium">
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <Field label={text('urlsLabel')} hint={text('urlsHint')} error={error}>
          {(ids) => (
            <TextArea
              {...ids}
              rows={6}
              value={typed}
              spellCheck={false}
              placeholder={'https://example.com/article'}
              className="font-mono text-sm"
              onChange={(event) => setTyped(event.target.value)}
            />
          )}
        </Field>
        <DialogButtons>
          <Button look="quiet" onClick={onClose}>
            {text('cancel')}
          </Button>
          <Button type="submit" look="primary" disabled={busy || urls.length === 0}>
            {busy ? text('adding') : text('add')}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
