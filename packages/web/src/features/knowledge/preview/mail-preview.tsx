import { useQuery } from '@tanstack/react-query';
import { Paperclip } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { sheaf } from '../../../lib/api-client.ts';
import { SkeletonLines } from '../../../ui/status-placeholders.tsx';
import { PlainTextView } from '../plain-text-view.tsx';

const maxTokens = 50_000;
/** Header names that the server writes at the start of the text extracted from a mail. */
const headNames = ['From', 'To', 'Cc', 'Date', 'Attachments'];

interface ReadMail {
  readonly heads: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** Splits the extracted text of a mail into header fields and body. */
export function splitMail(text: string): ReadMail {
  const lines = text.split('\n');
  const heads: [string, string][] = [];
  let at = 0;
  for (; at < lines.length; at++) {
    const line = lines[at]!;
    const [, name = '', value = ''] = /^(\w+): (.*)$/.exec(line) ?? [];
    if (headNames.includes(name)) heads.push([name, value]);
    else if (line.trim() === '') continue;
    // The subject is the first line and has no header name.
    else if (heads.length === 0) heads.push(['Subject', line.replace(/^# /, '')]);
    else break;
  }
  return { heads, body: lines.slice(at).join('\n') };
}

/**
 * Shows the header fields and the body of a mail. Calls `onUnfit` if the extracted text cannot be loaded or does not
 * begin with header fields.
 */
export function MailPreview({ id, onUnfit }: { id: string; onUnfit: () => void }): ReactNode {
  const mail = useQuery({
    queryKey: ['mail', id],
    queryFn: async () =>
      (await sheaf.wiki.get_knowledge_content({ media_id: id, max_tokens: maxTokens, marks: false, cursor: '' }))
        .content,
  });
  const read = mail.data === undefined ? undefined : splitMail(mail.data);
  const isUnfit = mail.isError || (read !== undefined && read.heads.length < 2);
  useEffect(() => {
    if (isUnfit) onUnfit();
  }, [isUnfit, onUnfit]);
  if (!read) return <SkeletonLines count={8} className="h-5" />;
  const attachments = read.heads.find(([name]) => name === 'Attachments')?.[1];
  return (
    <div className="overflow-hidden rounded-xl border border-line bg-raised">
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 border-b border-line bg-panel px-6 py-4 text-[0.933rem]">
        {read.heads
          .filter(([name]) => name !== 'Attachments')
          .map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-faint">{name}</dt>
              <dd className="min-w-0 break-words">{value}</dd>
            </div>
          ))}
      </dl>
      <div className="px-6 py-5">
        <PlainTextView text={read.body} words={[]} place={undefined} here={{ current: null }} />
      </div>
      {attachments !== undefined && (
        <p className="flex items-center gap-2 border-t border-line px-6 py-3 text-sm text-soft">
          <Paperclip size={15} className="shrink-0" /> {attachments}
        </p>
      )}
    </div>
  );
}
