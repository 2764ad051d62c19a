import { mediaNumber } from '@sheaf/client/media-types';
import { maxDocumentTokens, type DocumentKind, type ResourceKind } from '../../kernel/mcp-resource.ts';
import { baseTopic, type KnowledgeBaseEvent } from './events.ts';
import { requireItem } from './permissions.ts';

const wholeText = 1_000_000;
const maxFound = 20;

/** MCP resource with the text of an item of a knowledge base: a file, a web page, a note or an AI session. */
export const knowledgeResource: ResourceKind = {
  template: 'sheaf://knowledge/{id}',
  name: 'knowledge',
  title: 'Item of a knowledge base',
  description: 'The text of a file, web page, note or session in a knowledge base, by its media_id.',
  mimeType: 'text/plain',
  async read({ id }, reach) {
    const parts: string[] = [];
    let mediaType: unknown;
    for (let cursor: string | undefined; cursor !== '';) {
      const part = await reach.call('wiki.get_knowledge_content', {
        media_id: id,
        max_tokens: wholeText,
        ...(cursor === undefined ? {} : { cursor }),
      });
      parts.push(String(part['content']));
      mediaType = part['media_type'];
      cursor = String(part['next_cursor']);
    }
    const isMarkdown = mediaType === mediaNumber.note || mediaType === mediaNumber.markdown;
    return { text: parts.join(''), ...(isMarkdown ? { mimeType: 'text/markdown' } : {}) };
  },
  async complete(_variable, begun, _values, reach) {
    if (begun === '') return [];
    const { info_list: found } = await reach.call('wiki.search_all', { query: begun, prefix: true, limit: maxFound });
    return (found as { kind: string; id: string }[]).filter((one) => one.kind === 'knowledge').map((one) => one.id);
  },
  async watch({ id = '' }, { caller, services }) {
    const { item } = await requireItem({ wiki: services.wiki, caller }, id, 'view');
    return { topic: baseTopic(item.baseId), concerns: (news) => (news as KnowledgeBaseEvent).target === id };
  },
};

export const knowledgeDocument: DocumentKind = {
  kind: 'knowledge',
  page: '/wiki/{container}/item/{id}',
  async read(id, reach) {
    const item = await reach.call('wiki.get_knowledge_content', { media_id: id, max_tokens: maxDocumentTokens });
    const rest = item['is_end'] === true ? '' : '\n\n[Continues: wiki_get_knowledge_content returns the rest.]';
    return {
      title: String(item['title']),
      text: String(item['content']) + rest,
      metadata: { kind: 'file', total_tokens: String(item['total_tokens']) },
    };
  },
};
