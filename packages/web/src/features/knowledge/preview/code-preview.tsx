import { useMemo, type ReactNode } from 'react';
import { tokenizeCode } from '../../notes/syntax-tokenizer.ts';

/** Shows source code with line numbers and syntax highlighting. */
export function CodePreview({ source, language }: { source: string; language: string }): ReactNode {
  const lines = useMemo(() => coloredLines(source, language), [source, language]);
  return (
    <pre
      tabIndex={0}
      data-code={language}
      className="scroll-thin overflow-x-auto rounded-xl border border-line bg-raised py-4 pr-4 font-mono text-[0.867rem] leading-relaxed"
    >
      {lines.map((line, index) => (
        <span key={index} className="flex">
          <span aria-hidden className="w-14 shrink-0 pr-4 text-right text-faint select-none">
            {index + 1}
          </span>
          <code>
            {line}
            {'\n'}
          </code>
        </span>
      ))}
    </pre>
  );
}

/** Splits source code into lines of texts and colored spans. A comment of several lines becomes one span per line. */
function coloredLines(source: string, language: string): ReactNode[][] {
  const lines: ReactNode[][] = [[]];
  const add = (text: string, kind: string | undefined): void => {
    text.split('\n').forEach((part, index) => {
      if (index > 0) lines.push([]);
      const line = lines.at(-1)!;
      if (part === '') return;
      line.push(
        kind === undefined ? (
          part
        ) : (
          <span key={line.length} className={`code-${kind}`}>
            {part}
          </span>
        ),
      );
    });
  };
  let at = 0;
  const text = source.replaceAll('\r\n', '\n').replace(/\n$/, '');
  for (const { from, to, kind } of tokenizeCode(text, language)) {
    add(text.slice(at, from), undefined);
    add(text.slice(from, to), kind);
    at = to;
  }
  add(text.slice(at), undefined);
  return lines;
}
