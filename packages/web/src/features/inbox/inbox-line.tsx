import { Link, type LinkProps } from '@tanstack/react-router';
import { AtSign, Bot, Circle, CircleCheck, MessageSquare, PencilLine, Reply, Share2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { sheaf } from '../../lib/api-client.ts';
import { formatDateTime, formatTimeAgo } from '../../lib/format.ts';
import { useLanguage, useTranslation, type MessageKey, type Translate } from '../../i18n/use-translation.ts';
import { IconButton } from '../../ui/button.tsx';

export type InboxLine = Awaited<ReturnType<typeof sheaf.inbox.list_inbox>>['lines'][number];

const icons: Record<InboxLine['type'], ReactNode> = {
  mention: <AtSign size={16} />,
  reply: <Reply size={16} />,
  comment: <MessageSquare size={16} />,
  share: <Share2 size={16} />,
  change: <PencilLine size={16} />,
  agent: <Bot size={16} />,
};

const sentences: Record<InboxLine['type'], MessageKey> = {
  mention: 'lineMention',
  reply: 'lineReply',
  comment: 'lineComment',
  share: 'lineShare',
  change: 'lineChange',
  agent: 'lineAgent',
};

function linkOf({ kind, id, type }: InboxLine): LinkProps {
  if (type === 'agent' || kind === undefined || id === undefined)
    return { to: '/account/$section', params: { section: 'audit' } };
  if (kind === 'note') return { to: '/notes/$id', params: { id } };
  if (kind === 'notebook') return { to: '/shared', search: { folder: id } };
  return kind === 'sheet' ? { to: '/sheet/$id', params: { id } } : { to: '/wiki/$base', params: { base: id } };
}

function namesOf({ by, key_name: keyName, type }: InboxLine, text: Translate): string {
  if (type === 'agent') return keyName === undefined || keyName === '' ? text('deletedUser') : keyName;
  const name = by[0]?.name || text('deletedUser');
  return by.length < 2 ? name : text('andOthers', { name, count: by.length - 1 });
}

interface InboxLineRowProps {
  line: InboxLine;
  onMark: (isRead: boolean) => void;
}

export function InboxLineRow({ line, onMark }: InboxLineRowProps): ReactNode {
  const text = useTranslation();
  const language = useLanguage();
  const { type, is_read: isRead, count, time, title, text: said, operations } = line;
  const sentence = text(sentences[type], {
    name: namesOf(line, text),
    title: title === undefined || title === '' ? text('untitled') : title,
  });
  const details = said ?? operations?.map((one) => `${one.operation} × ${one.count}`).join(', ');
  return (
    <li className="flex items-start gap-1 pr-2 hover:bg-panel">
      <Link
        {...linkOf(line)}
        data-line
        className="flex min-h-14 min-w-0 flex-1 items-start gap-3 px-4 py-2.5"
        onClick={() => !isRead && onMark(true)}
      >
        <span className={`mt-0.5 shrink-0 ${isRead ? 'text-faint' : 'text-accent'}`}>{icons[type]}</span>
        <span className="flex min-w-0 flex-1 flex-col">
          <span className={`break-words ${isRead ? 'text-soft' : 'font-medium'}`}>
            {!isRead && <span className="sr-only">{text('unread')}: </span>}
            {sentence}
            {count > 1 && <span className="text-faint"> · {text('timesCount', { count })}</span>}
          </span>
          {details !== undefined && <span className="line-clamp-2 text-sm break-words text-soft">{details}</span>}
        </span>
        <time
          className="shrink-0 text-xs text-faint"
          dateTime={new Date(time).toISOString()}
          title={formatDateTime(time, language)}
        >
          {formatTimeAgo(time, language)}
        </time>
      </Link>
      <IconButton
        label={`${text(isRead ? 'markUnread' : 'markRead')}: ${sentence}`}
        className="mt-2 size-8"
        onClick={() => onMark(!isRead)}
      >
        {isRead ? <CircleCheck size={16} /> : <Circle size={16} />}
      </IconButton>
    </li>
  );
}
