import type { ReactNode } from 'react';
import { useText } from '../text/use-text.ts';
import { Lines } from '../ui/states.tsx';
import { useReadable } from './readable.ts';
import { late } from '../ui/late.tsx';

const MarkdownView = late(async () => (await import('./markdown-view.tsx')).MarkdownView);

/** Read-only Markdown. A text that would take too long to render is shown as source, with a notice. */
export function GuardedMarkdown({ text: markdown }: { text: string }): ReactNode {
  const isReadable = useReadable(markdown);
  const waiting = <Lines count={8} className="h-5" />;
  if (isReadable === undefined) return waiting;
  if (!isReadable) return <WrittenText markdown={markdown} />;
  return <MarkdownView meanwhile={waiting} text={markdown} />;
}

/** The Markdown source with the reason. Off-screen lines are not laid out. */
function WrittenText({ markdown }: { markdown: string }): ReactNode {
  const text = useText();
  return (
    <>
      <p role="note" className="rounded-xl bg-warn-soft px-4 py-3 text-sm text-warn">
        {text('tooInvolved')}
      </p>
      <div className="font-mono text-sm">
        {portions(markdown).map((portion, index) => (
          <pre
            key={index}
            className="whitespace-pre-wrap break-words [contain-intrinsic-size:auto_60rem] [content-visibility:auto]"
          >
            {portion}
          </pre>
        ))}
      </div>
    </>
  );
}

const linesAPortion = 100;

function portions(markdown: string): string[] {
  const lines = markdown.split('\n');
  return Array.from({ length: Math.ceil(lines.length / linesAPortion) }, (_, index) =>
    lines.slice(index * linesAPortion, (index + 1) * linesAPortion).join('\n'),
  );
}
