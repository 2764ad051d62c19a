import { handleWorkerTasks } from '../../lib/handle-worker-tasks.ts';
import { parseHead, parseMarkdown } from './parse-markdown.ts';
import { noteTextFunctions, type NoteTextFunctionName } from './text/note-text-functions.ts';

const readers = { whole: parseMarkdown, head: parseHead };

type Task =
  | { part: keyof typeof readers; markdown: string }
  | { part: 'text'; name: NoteTextFunctionName; args: never[] };

handleWorkerTasks<Task>({
  perform: (task) =>
    task.part === 'text'
      ? (noteTextFunctions[task.name] as (...args: never[]) => unknown)(...task.args)
      : readers[task.part](task.markdown),
});
