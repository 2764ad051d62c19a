import { memo, type ReactNode, type RefObject } from 'react';
import { wordPattern } from '../../lib/search-excerpt.ts';

interface Props {
  text: string;
  words: readonly string[];
  /** Character offset in the text to scroll to. */
  place: number | undefined;
  here: RefObject<HTMLElement | null>;
}

interface Block {
  text: string;
  start: number;
}

/**
 * Renders text without interpreting markup. The browser skips layout of off-screen paragraphs, so long texts stay fast.
 */
export function PlainTextView({ text, words, place, here }: Props): ReactNode {
  const pattern = wordPattern(words);
  return (
    <div className="prose">
      {blocksOf(text).map((block) => (
        <TextBlock
          key={block.start}
          block={block}
          pattern={pattern}
          place={
            place !== undefined && place >= block.start && place < block.start + block.text.length + 2
              ? place
              : undefined
          }
          here={here}
        />
      ))}
    </div>
  );
}

interface TextBlockProps {
  block: Block;
  pattern: RegExp | undefined;
  place: number | undefined;
  here: RefObject<HTMLElement | null>;
}

const TextBlock = memo(function TextBlock({ block, pattern, place, here }: TextBlockProps): ReactNode {
  const parts = pattern ? block.text.split(pattern) : [block.text];
  let at = block.start;
  let isHere = false;
  // If the paragraph contains no highlighted word, the whole paragraph is the scroll target.
  const isPlace = place !== undefined && parts.length === 1;
  return (
    <p
      ref={isPlace ? (here as RefObject<HTMLParagraphElement | null>) : undefined}
      data-place={isPlace ? '' : undefined}
      className="whitespace-pre-wrap data-place:outline-2 data-place:outline-accent [contain-intrinsic-size:auto_6rem] [content-visibility:auto]"
    >
      {parts.map((part, index) => {
        const start = at;
        at += part.length;
        if (index % 2 === 0) return part;
        const first: boolean = place !== undefined && !isHere && start >= place;
        if (first) isHere = true;
        return (
          <mark key={index} ref={first ? here : undefined} className={first ? 'outline-2 outline-accent' : undefined}>
            {part}
          </mark>
        );
      })}
    </p>
  );
});

/** Splits text at blank lines into paragraphs with their start offsets. */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let start = 0;
  for (const part of text.split(/(\n\s*\n)/)) {
    if (part.trim() !== '') blocks.push({ text: part, start });
    start += part.length;
  }
  return blocks;
}
