import { answerTasks } from '../lib/thread-body.ts';
import { readHead, readMarkdown } from './content.ts';

const readers = { whole: readMarkdown, head: readHead };

answerTasks<{ part: keyof typeof readers; markdown: string }>({
  perform: ({ part, markdown }) => readers[part](markdown),
});
