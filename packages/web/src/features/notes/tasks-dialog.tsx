import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { cursorPages, queryClient, sheaf } from '../../lib/api-client.ts';
import { formatDate, plainExcerpt } from '../../lib/format.ts';
import { useLanguage, useTranslation } from '../../i18n/use-translation.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { LoadMore, SkeletonLines, queryPlaceholder } from '../../ui/status-placeholders.tsx';
import { showErrorToast } from '../../ui/toast.tsx';

type Task = Awaited<ReturnType<typeof sheaf.note.list_tasks>>['tasks'][number];

const keyOf = ({ note_id, line, text }: Task): string => `${note_id} ${line} ${text}`;

/**
 * Lists the open tasks of all notes or of one note, sorted by due date. Checking a task changes the text of its note.
 */
export function TasksDialog({ note, onClose }: { note?: string; onClose: () => void }): ReactNode {
  const text = useTranslation();
  const tasks = useInfiniteQuery({
    queryKey: ['note-tasks', note ?? ''],
    queryFn: ({ pageParam: cursor }) =>
      sheaf.note.list_tasks({ ...(note === undefined ? {} : { note_id: note }), cursor, limit: 200 }),
    ...cursorPages,
    staleTime: 0,
    // Do not reload the list while it is open. A reload would remove the checked tasks, and a task checked by mistake
    // could not be unchecked.
    refetchOnWindowFocus: false,
  });
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set());
  const shown = tasks.data?.pages.flatMap((page) => page.tasks) ?? [];
  const mark = (task: Task, done: boolean): void =>
    setChecked((before) => new Set(done ? [...before, keyOf(task)] : [...before].filter((one) => one !== keyOf(task))));
  const set = async (task: Task, done: boolean): Promise<void> => {
    mark(task, done);
    try {
      await sheaf.note.set_task({ note_id: task.note_id, line: task.line, text: task.text, done });
    } catch (error) {
      mark(task, !done);
      throw error;
    }
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: ['notes', 'connections'] }),
      queryClient.invalidateQueries({ queryKey: ['note-version', task.note_id] }),
    ]);
  };
  return (
    <Dialog title={text('openTasksTitle')} onClose={onClose} width="medium">
      {queryPlaceholder(tasks, <SkeletonLines count={4} />, true) ??
        (shown.length === 0 ? (
          <p className="text-soft">{text('noOpenTasks')}</p>
        ) : (
          <ul className="divide-y divide-line" aria-label={text('openTasksTitle')}>
            {shown.map((task) => (
              <TaskRow
                key={keyOf(task)}
                task={task}
                done={checked.has(keyOf(task))}
                onSet={(value) => set(task, value).catch(showErrorToast)}
                onLeave={onClose}
              />
            ))}
          </ul>
        ))}
      <LoadMore list={tasks} />
    </Dialog>
  );
}

interface TaskRowProps {
  task: Task;
  done: boolean;
  onSet: (done: boolean) => void;
  onLeave: () => void;
}

function TaskRow({ task, done, onSet, onLeave }: TaskRowProps): ReactNode {
  const text = useTranslation();
  const language = useLanguage();
  const words = plainExcerpt(task.text.replace(/\s*@\d{4}-\d\d-\d\d/, ''));
  const due = task.due === undefined ? undefined : new Date(`${task.due}T00:00`).getTime();
  const isLate = due !== undefined && due < new Date().setHours(0, 0, 0, 0);
  return (
    <li className="flex items-start gap-3 py-2">
      <input
        type="checkbox"
        className="mt-1 size-4 shrink-0 accent-accent"
        checked={done}
        aria-label={words}
        onChange={(event) => onSet(event.target.checked)}
      />
      <span className="flex min-w-0 flex-1 flex-col">
        <span className={`break-words ${done ? 'text-faint line-through' : ''}`}>{words}</span>
        <Link
          to="/notes/$id"
          params={{ id: task.note_id }}
          onClick={onLeave}
          className="truncate text-sm text-soft hover:underline"
        >
          {task.title === '' ? text('untitled') : task.title}
        </Link>
      </span>
      {due !== undefined && (
        <span className={`shrink-0 text-sm ${isLate && !done ? 'text-danger' : 'text-soft'}`}>
          {text('dueOn', { date: formatDate(due, language) })}
        </span>
      )}
    </li>
  );
}
