import { useInfiniteQuery } from '@tanstack/react-query';
import { Brain } from 'lucide-react';
import type { ReactNode } from 'react';
import { queryClient, sheaf } from '../../lib/api-client.ts';
import { formatDate } from '../../lib/format.ts';
import { useLanguage, useTranslation } from '../../i18n/use-translation.ts';
import { confirmAction } from '../../ui/prompt-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/page-layout.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../ui/status-placeholders.tsx';
import { showErrorToast } from '../../ui/toast.tsx';

const queryKey = ['memories'];

/** Lists the memories, which are short texts that agents stored about the user. The user can read and delete them. */
export function AgentMemorySection(): ReactNode {
  const text = useTranslation();
  const language = useLanguage();
  const pages = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => sheaf.note.list_memories({ cursor: pageParam, limit: 50 }),
    initialPageParam: '',
    getNextPageParam: (last) => (last.is_end ? undefined : last.next_cursor),
  });
  const erase = async (input: { memory_ids: string[] } | { all: true }): Promise<void> => {
    await sheaf.note.forget(input);
    await queryClient.invalidateQueries({ queryKey });
  };
  const eraseAll = async (): Promise<void> => {
    const sure = await confirmAction({
      title: text('eraseAllMemories'),
      explanation: text('eraseAllMemoriesHint'),
      action: text('eraseMemories'),
      danger: true,
    });
    if (sure) await erase({ all: true });
  };
  if (pages.isPending) return <SkeletonLines count={2} />;
  if (pages.error) return <ErrorState error={pages.error} />;
  const memories = pages.data.pages.flatMap((page) => page.memories);
  return (
    <Section title={text('agentMemory')}>
      <p className="text-soft">{text('agentMemoryLead')}</p>
      {memories.length === 0 ? (
        <EmptyState icon={<Brain />} title={text('noMemories')} />
      ) : (
        <>
          <ul className="divide-y divide-line rounded-xl border border-line bg-raised">
            {memories.map((memory) => (
              <li
                key={memory.memory_id}
                className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-3"
              >
                <div className="flex min-w-0 flex-1 flex-col">
                  <span className="break-words">{memory.text}</span>
                  <span className="text-sm break-words text-faint">
                    {[memory.app, memory.about, formatDate(memory.create_time, language)].filter(Boolean).join(' · ')}
                  </span>
                </div>
                <Button
                  variant="quiet"
                  onClick={() => void erase({ memory_ids: [memory.memory_id] }).catch(showErrorToast)}
                  aria-label={`${text('eraseMemory')}: ${memory.text.slice(0, 80)}`}
                >
                  {text('eraseMemory')}
                </Button>
              </li>
            ))}
          </ul>
          <div className="flex gap-2">
            {pages.hasNextPage && <Button onClick={() => void pages.fetchNextPage()}>{text('loadMore')}</Button>}
            <Button variant="quiet" onClick={() => void eraseAll().catch(showErrorToast)}>
              {text('eraseAllMemories')}
            </Button>
          </div>
        </>
      )}
    </Section>
  );
}
