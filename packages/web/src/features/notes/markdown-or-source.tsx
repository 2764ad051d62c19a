import type { ReactNode } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { SkeletonLines } from '../../ui/status-placeholders.tsx';
import { useCanRender } from './render-check.ts';
import { lazyComponent } from '../../ui/lazy.tsx';

const EditorMarkdownView = lazyComponent(async () => (await import('./editor-markdown-view.tsx')).EditorMarkdownView);

/** Shows read-only Markdown. A text that takes too long to render is shown as source with a notice. */
export function MarkdownOrSource({ text: markdown }: { text: string }): ReactNode {
  const isReadable = useCanRender(markdown);
  const waiting = <SkeletonLines count={8} className="h-5" />;
  if (isReadable === undefined) return waiting;
  if (!isReadable) return <MarkdownSource markdown={markdown} />;
  return <EditorMarkdownView fallback={waiting} text={markdown} />;
}

/**
 * Shows the Markdown source and a notice that it is too complex to render. The source is split into blocks, so that the
 * browser can skip the layout of those that are off-screen.
 */
function MarkdownSource({ markdown }: { markdown: string }): ReactNode {
  const text = useTranslation();
  return (
    <>
      <p role="note" className="rounded-xl bg-warn-soft px-4 py-3 text-sm text-warn">
        {text('tooInvolved')}
      </p>
      <div className="font-mono text-sm">
        {splitIntoBlocks(markdown).map((portion, index) => (
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

const linesPerBlock = 100;

function splitIntoBlocks(markdown: string): string[] {
  const lines = markdown.split('\n');
  return Array.from({ length: Math.ceil(lines.length / linesPerBlock) }, (_, index) =>
    lines.slice(index * linesPerBlock, (index + 1) * linesPerBlock).join('\n'),
  );
}
