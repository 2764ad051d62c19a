import { handleTasks } from '../../lib/thread-worker.ts';
import { parseHead, parseMarkdown } from './parse-markdown.ts';

const readers = { whole: parseMarkdown, head: parseHead };

handleTasks<{ part: keyof typeof readers; markdown: string }>({
  perform: ({ part, markdown }) => readers[part](markdown),
});
