import { Link, useNavigate } from '@tanstack/react-router';
import { Library, Plus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page-layout.tsx';
import { EmptyState, SkeletonLines, queryPlaceholder } from '../../ui/status-placeholders.tsx';
import { BaseDialog } from './base-dialog.tsx';
import { BaseSidebar } from './base-sidebar.tsx';
import { useBases } from './queries.ts';

export function BasesPage(): ReactNode {
  const text = useTranslation();
  const navigate = useNavigate();
  const bases = useBases();
  const [making, setMaking] = useState(false);
  const create = (
    <Button variant="primary" onClick={() => setMaking(true)}>
      <Plus size={16} /> {text('newBase')}
    </Button>
  );
  return (
    <Page title={text('knowledge')} lead={text('knowledgeLead')} actions={create}>
      <BaseSidebar />
      {queryPlaceholder(bases, <SkeletonLines count={2} className="h-32" />, true) ??
        (bases.data?.length === 0 ? (
          <EmptyState icon={<Library />} title={text('noBases')} actions={create}>
            {text('noBasesHint')}
          </EmptyState>
        ) : (
          <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
            {bases.data?.map((base) => (
              <li key={base.id}>
                <Link
                  to="/wiki/$base"
                  params={{ base: base.id }}
                  className="flex h-full min-h-32 flex-col gap-2 rounded-2xl border border-line bg-raised p-5 hover:border-strong-line"
                >
                  <span className="flex items-center gap-2.5">
                    <span className="flex size-8 items-center justify-center rounded-lg bg-accent-soft text-accent">
                      <Library size={17} />
                    </span>
                    <span className="min-w-0 flex-1 truncate font-serif text-lg font-semibold">{base.name}</span>
                  </span>
                  <span className="line-clamp-2 flex-1 text-sm text-soft">{base.description}</span>
                  <span className="text-sm text-faint">
                    {text('itemCount', { count: base.content_count })}
                    {base.member_count > 1 && ` · ${text('memberCount', { count: base.member_count })}`}
                    {base.role_type !== 'owner' && ` · ${text(base.role_type)}`}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        ))}
      {making && (
        <BaseDialog
          onClose={() => setMaking(false)}
          onDone={(id) => void navigate({ to: '/wiki/$base', params: { base: id } })}
        />
      )}
    </Page>
  );
}
