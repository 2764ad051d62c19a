import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Download, ScrollText } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import { cursorPages, sheaf } from '../../lib/api-client.ts';
import { downloadFile } from '../../lib/download.ts';
import { formatDateTime } from '../../lib/format.ts';
import { useCurrentUser } from '../../shell/current-user.ts';
import { useLanguage, useTranslation, type MessageKey } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/button.tsx';
import { SelectMenu } from '../../ui/select-menu.tsx';
import { Section } from '../../ui/page-layout.tsx';
import { EmptyState, LoadMore, SkeletonLines, queryPlaceholder } from '../../ui/status-placeholders.tsx';
import { showErrorToast } from '../../ui/toast.tsx';
import { objectKinds, type ObjectChange } from '../home/audit-changes.ts';
import { addTitles, type TitledChange } from '../home/change-titles.ts';
import { useActorNames, usersQuery } from './account-queries.ts';
import { kindOf, toCsv, verbOf } from './audit-words.ts';

const pageSize = 50;
const maxDownloaded = 10_000;
const heads = ['auditWhen', 'auditWhat', 'auditThing', 'auditThrough'] as const;
const modules = ['note', 'wiki', 'sheet', 'manage', 'sharing', 'account', 'page'] as const;
const moduleWords: Record<(typeof modules)[number], MessageKey> = {
  note: 'notes',
  wiki: 'knowledge',
  sheet: 'auditCells',
  manage: 'sheets',
  sharing: 'sharing',
  account: 'account',
  page: 'signingIn',
};
const minute = 60 * 1000;
const day = 24 * 60 * minute;
const periods = [1, 7, 30, 365] as const;

type Row = Awaited<ReturnType<typeof sheaf.account.list_audit>>['rows'][number];

/**
 * Shows the audit log as a table, in which operation names are replaced by words. A normal user sees their own writes;
 * an administrator (role `owner`) sees the writes of all users.
 */
export function AuditLogSection(): ReactNode {
  const text = useTranslation();
  const me = useCurrentUser();
  const isOwner = me?.role === 'owner';
  const [person, setPerson] = useState('');
  const [module, setModule] = useState('');
  const [days, setDays] = useState(0);
  // Computed only once per chosen period, so that the filter does not change while further pages of the log are loaded.
  const since = useMemo(() => Math.floor(Date.now() / minute) * minute - days * day, [days]);
  const users = useQuery({ ...usersQuery, enabled: isOwner, staleTime: 60_000 });
  const names = useActorNames();
  const filter = {
    ...(person === '' ? {} : { user_id: person }),
    ...(module === '' ? {} : { module }),
    ...(days === 0 ? {} : { since }),
  };
  const audit = useInfiniteQuery({
    queryKey: ['audit', filter],
    queryFn: ({ pageParam }) => sheaf.account.list_audit({ cursor: pageParam, limit: pageSize, ...filter }),
    ...cursorPages,
  });
  const userName = (id: string): string => {
    const user = users.data?.users.find((one) => one.user_id === id);
    return user?.display_name || user?.name || id;
  };
  const rows = audit.data?.pages.flatMap((page) => page.rows) ?? [];
  const titles = useTitles(rows);
  const download = async (): Promise<void> => {
    const all: Row[] = [];
    for (let cursor = '', isEnd = false; !isEnd && all.length < maxDownloaded;) {
      const page = await sheaf.account.list_audit({ cursor, limit: 100, ...filter });
      all.push(...page.rows);
      [cursor, isEnd] = [page.next_cursor, page.is_end];
    }
    const lines = all.map((row) => [
      new Date(row.at).toISOString(),
      isOwner ? userName(row.user_id) : (me?.name ?? ''),
      names(row.key_id),
      text(verbOf(row.operation)),
      row.operation,
      titles.get(row.target)?.title ?? '',
      row.target,
      row.reason ?? '',
    ]);
    const head = ['time', 'person', 'through', 'what', 'operation', 'title', 'id', 'reason'];
    downloadFile('audit.csv', 'text/csv', toCsv([head, ...lines]), 'utf8');
  };
  return (
    <Section
      title={text('audit')}
      actions={
        <Button disabled={rows.length === 0} onClick={() => download().catch(showErrorToast)}>
          <Download size={16} /> {text('auditDownload')}
        </Button>
      }
    >
      <p className="text-soft">{text(isOwner ? 'auditLeadOwner' : 'auditLead')}</p>
      <div className="flex flex-wrap items-center gap-2">
        {isOwner && (
          <SelectMenu
            label={text('person')}
            value={person}
            options={[
              { value: '', label: text('anyone') },
              ...(users.data?.users ?? []).map((user) => ({ value: user.user_id, label: user.name })),
            ]}
            onChange={setPerson}
          />
        )}
        <SelectMenu
          label={text('auditKind')}
          value={module}
          options={[
            { value: '', label: text('everything') },
            ...modules.map((one) => ({ value: one, label: text(moduleWords[one]) })),
          ]}
          onChange={setModule}
        />
        <SelectMenu
          label={text('auditPeriod')}
          value={days}
          options={[
            { value: 0, label: text('anyTime') },
            ...periods.map((count) => ({ value: count, label: text('lastDays', { count }) })),
          ]}
          onChange={setDays}
        />
      </div>
      {queryPlaceholder(audit, <SkeletonLines count={6} className="h-9" />, true) ??
        (rows.length === 0 ? (
          <EmptyState icon={<ScrollText />} title={text('auditEmpty')} />
        ) : (
          <div
            className="scroll-thin overflow-x-auto rounded-xl border border-line bg-raised"
            tabIndex={0}
            role="region"
            aria-label={text('audit')}
          >
            <table className="w-full min-w-max text-left text-sm">
              <thead className="border-b border-line text-xs text-faint">
                <tr>
                  {[...heads, ...(isOwner ? (['person'] as const) : [])].map((key) => (
                    <th key={key} scope="col" className={`${cell} font-medium`}>
                      {text(key)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody className="divide-y divide-line">
                {rows.map((row, index) => (
                  <AuditLine
                    key={index}
                    row={row}
                    titled={titles.get(row.target)}
                    title={row.target.startsWith('user_') ? userName(row.target) : undefined}
                    through={names(row.key_id)}
                    person={isOwner ? userName(row.user_id) : undefined}
                  />
                ))}
              </tbody>
            </table>
          </div>
        ))}
      <LoadMore list={audit} className="" />
    </Section>
  );
}

const cell = 'px-3 py-2 align-top';

interface AuditLineProps {
  row: Row;
  titled: TitledChange | undefined;
  title: string | undefined;
  through: string;
  person: string | undefined;
}

function AuditLine({ row, titled, title = row.target, through, person }: AuditLineProps): ReactNode {
  const text = useTranslation();
  const language = useLanguage();
  const kind = kindOf(row.target);
  return (
    <tr>
      <td className={`${cell} whitespace-nowrap text-soft`}>{formatDateTime(row.at, language)}</td>
      <td className={cell}>
        <span className="block font-medium">{text(verbOf(row.operation))}</span>
        <code className="text-xs text-faint">{row.operation}</code>
      </td>
      <td className={`${cell} max-w-72`}>
        {kind !== undefined && <span className="block text-xs text-faint">{text(kind)}</span>}
        {titled ? (
          <Link {...titled.link} className="block truncate font-medium text-accent hover:underline">
            {titled.title === '' ? text('untitled') : titled.title}
          </Link>
        ) : (
          <span className="block truncate text-soft" title={row.target}>
            {title}
          </span>
        )}
        {row.reason !== undefined && <span className="block truncate text-soft">{row.reason}</span>}
      </td>
      <td className={cell}>{through}</td>
      {person !== undefined && <td className={cell}>{person}</td>}
    </tr>
  );
}

/** Returns titles and links of the objects in rows of the audit log. Deleted and inaccessible objects are omitted. */
function useTitles(rows: readonly Row[]): ReadonlyMap<string, TitledChange> {
  const targets = [...new Set(rows.map((row) => row.target))];
  const changes = targets.flatMap((id): ObjectChange[] => {
    const kind = objectKinds.find(([prefix]) => id.startsWith(prefix))?.[1];
    return kind === undefined ? [] : [{ kind, id, by: '', count: 0, time: 0 }];
  });
  const found = useQuery({
    queryKey: ['audit-titles', changes.map(({ id }) => id)],
    queryFn: async () => {
      const titled = await Promise.all(inChunks(changes, 100).map((some) => addTitles(some)));
      return new Map(titled.flat().map((one) => [one.id, one]));
    },
    enabled: changes.length > 0,
    placeholderData: keepPreviousData,
  });
  return found.data ?? new Map();
}

function inChunks<Item>(list: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size));
}
