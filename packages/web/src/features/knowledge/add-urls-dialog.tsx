import { useState, type ReactNode } from 'react';
import { sheaf } from '../../lib/api-client.ts';
import { toUserMessage } from '../../lib/user-message.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { Field, TextArea } from '../../ui/form-fields.tsx';
import { showToast } from '../../ui/toast.tsx';
import { refreshBase } from './queries.ts';

const maxAtOnce = 10;

interface RejectedUrl {
  readonly url: string;
  readonly why: string;
}

/** Removes the leading URL from an error message, because the dialog shows the URL above the message. */
function reasonWithoutUrl(url: string, message: string): string {
  return toUserMessage(message.startsWith(url) ? message.slice(url.length).replace(/^:/, '') : message);
}

interface AddUrlsDialogProps {
  base: string;
  folder: string;
  onClose: () => void;
}

export function AddUrlsDialog({ base, folder, onClose }: AddUrlsDialogProps): ReactNode {
  const text = useTranslation();
  const [typed, setTyped] = useState('');
  const [refused, setRefused] = useState<readonly RejectedUrl[]>([]);
  const urls = [...new Set(typed.split(/\s+/).filter((url) => url !== ''))];
  const add = async (): Promise<void> => {
    setRefused([]);
    const failed: RejectedUrl[] = [];
    for (let start = 0; start < urls.length; start += maxAtOnce) {
      const { results } = await sheaf.wiki.import_urls({
        knowledge_base_id: base,
        folder_id: folder,
        urls: urls.slice(start, start + maxAtOnce),
      });
      for (const { url, ret_code, msg = '' } of Object.values(results))
        if (ret_code !== 0) failed.push({ url, why: reasonWithoutUrl(url, msg) });
    }
    await refreshBase(base);
    if (failed.length < urls.length) showToast(text('urlsAdded', { count: urls.length - failed.length }));
    if (failed.length === 0) return onClose();
    setTyped(failed.map(({ url }) => url).join('\n'));
    setRefused(failed);
  };
  return (
    <FormDialog
      title={text('addUrls')}
      width="medium"
      action={(isBusy) => text(isBusy ? 'adding' : 'add')}
      isReady={urls.length > 0}
      onSubmit={add}
      onClose={onClose}
    >
      {(error) => (
        <>
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
          {refused.length > 0 && (
            <div role="alert" className="text-sm">
              <p className="text-danger">{text('urlsRefused')}</p>
              <ul className="scroll-thin flex max-h-48 flex-col gap-2 overflow-y-auto pt-2">
                {refused.map(({ url, why }) => (
                  <li key={url} className="break-words">
                    <p className="font-mono">{url}</p>
                    <p className="text-soft">{why}</p>
                  </li>
                ))}
              </ul>
            </div>
          )}
        </>
      )}
    </FormDialog>
  );
}
