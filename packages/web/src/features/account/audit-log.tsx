import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ScrollText } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { cursorPages, sheaf } from '../../lib/api-client.ts';
import { formatDateTime } from '../../lib/format.ts';
import { useCurrentUser } from '../../shell/current-user.ts';
import { useLanguage, useTranslation } from '../../i18n/use-translation.ts';
import { SelectMenu } from '../../ui/select-menu.tsx';
import { TextInput } from '../../ui/form-fields.tsx';
import { Section } from '../../ui/page-layout.tsx';
import { EmptyState, LoadMore, SkeletonLines, queryPlaceholder } from '../../ui/status-placeholders.tsx';
import { useActorNames, usersQuery } from './account-queries.ts';

const pageSize = 50;
const heads = ['auditWhen', 'auditWhat', 'auditThing', 'auditThrough'] as const;

/** Shows the audit log: the user's own writes. The owner of the server also sees those of all users. */
export function AuditLogSection(): ReactNode {
  const text = useTranslation();
  const language = useLanguage();
  const me = useCurrentUser();
  const isOwner = me?.role === 'owner';
  const [person, setPerson] = useState('');
  const [operation, setOperation] = useState('');
  const wanted = operation.trim();
  // Filter by operation only if the input has the form of a complete name, `module.operation`.
  const isOperation = /^\w+\.\w+$/.test(wanted);
  const users = useQuery({ ...usersQuery, enabled: isOwner, staleTime: 60_000 });
  const names = useActorNames();
  const audit = useInfiniteQuery({
    queryKey: ['audit', person, isOperation ? wanted : ''],
    queryFn: ({ pageParam }) =>
      sheaf.account.list_audit({
        cursor: pageParam,
        limit: pageSize,
        ...(person === '' ? {} : { user_id: person }),
        ...(isOperation ? { operation: wanted } : {}),
      }),
    ...cursorPages,
  });
  const userName = (id: string): string => users.data?.users.find((user) => user.user_id === id)?.name ?? id;
  const rows = audit.data?.pages.flatMap((page) => page.rows) ?? [];
  const cell = 'px-3 py-2 align-top';
  return (
    <Section title={text('audit')}>
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
        <div className="w-64">
          <TextInput
            value={operation}
            onChange={(event) => setOperation(event.target.value)}
            placeholder="note.update_note"
            aria-label={text('auditOperation')}
          />
        </div>
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
                  <tr key={index}>
                    <td className={`${cell} whitespace-nowrap text-soft`}>{formatDateTime(row.at, language)}</td>
                    <td className={`${cell} font-medium`}>{row.operation}</td>
                    <td className={`${cell} max-w-72 truncate font-mono text-xs leading-5 text-soft`}>{row.target}</td>
                    <td className={cell}>{names(row.key_id)}</td>
                    {isOwner && <td className={cell}>{userName(row.user_id)}</td>}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        ))}
      <LoadMore list={audit} className="" />
    </Section>
  );
}
