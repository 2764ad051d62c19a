import { handleTasks } from '../../lib/thread-worker.ts';
import { parseHead, parseMarkdown } from './parse-markdown.ts';
import { textTasks, type TextTaskName } from './text/text-tasks.ts';

const readers = { whole: parseMarkdown, head: parseHead };

type Task = { part: keyof typeof readers; markdown: string } | { part: 'text'; name: TextTaskName; args: never[] };

handleTasks<Task>({
  perform: (task) =>
    task.part === 'text'
      ? (textTasks[task.name] as (...args: never[]) => unknown)(...task.args)
      : readers[task.part](task.markdown),
});
