import type { Block, Container, Inline, Table } from './blocks.ts';

/**
 * Converts the blocks of a note to plain text. List items keep a bullet or number, table cells are separated by ` | `,
 * and links are followed by their URLs.
 */
export function plainText(blocks: readonly Block[]): string {
  return joined(blocks, '\n\n');
}

function joined(blocks: readonly Block[], between: string): string {
  return blocks
    .map(blockText)
    .filter((text) => text !== '')
    .join(between);
}

function blockText(block: Block): string {
  switch (block.type) {
    case 'hr':
      return '---';
    case 'code_block':
      return block.children[0].text.replace(/\s+$/, '');
    case 'image':
      return imageText(block.alt, block.url);
    case 'table':
      return tableText(block);
    case 'ul':
    case 'ol':
      return listText(block);
    case 'blockquote':
      return indent(joined(block.children, '\n\n'), '> ', '> ');
    case 'li':
      return joined(block.children, '\n');
    default:
      return inlineText(block.children).trim();
  }
}

function listText(list: Container): string {
  return list.children
    .map((item, index) => {
      const bullet = list.type === 'ol' ? `${(list.start ?? 1) + index}. ` : '- ';
      const box = item.type === 'li' && item.checked !== undefined ? (item.checked ? '[x] ' : '[ ] ') : '';
      return indent(blockText(item), `${bullet}${box}`, ' '.repeat(bullet.length));
    })
    .join('\n');
}

function tableText(table: Table): string {
  return table.children
    .map((row) => row.children.map((cell) => inlineText(cell.children).replace(/\s+/g, ' ').trim()).join(' | '))
    .join('\n');
}

function indent(text: string, first: string, rest: string): string {
  return text
    .split('\n')
    .map((line, index) => `${index === 0 ? first : rest}${line}`.trimEnd())
    .join('\n');
}

/** Converts inline parts to text. With `addresses`, each link text is followed by its URL. */
export function inlineText(parts: readonly Inline[], addresses = true): string {
  let text = '';
  parts.forEach((part, index) => {
    if ('type' in part) {
      text += addresses ? imageText(part.alt, part.url) : part.alt;
      return;
    }
    text += part.text;
    const next = parts[index + 1];
    const goesOn = next !== undefined && !('type' in next) && next.link?.url === part.link?.url;
    if (addresses && part.link && !goesOn && !endsWithUrl(text, part.link.url)) text += ` (${part.link.url})`;
  });
  return text;
}

function endsWithUrl(text: string, link: string): boolean {
  return text.endsWith(link) || (link.startsWith('mailto:') && text.endsWith(link.slice(7)));
}

function imageText(alt: string, url: string): string {
  return alt === '' ? url : `${alt} (${url})`;
}
