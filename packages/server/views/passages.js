// Shows the passages that wiki_search_passages found, each with its source.
import { connect, dataOf, element, render, request } from './bridge.js';

function plain(text) {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

/** Returns the text with its matched words marked. */
function marked(text) {
  return text
    .split(/(<em>[^]*?<\/em>)/)
    .map((part) => (part.startsWith('<em>') ? element('mark', {}, plain(part.slice(4, -5))) : plain(part)));
}

connect((result) => {
  const { passages = [], documents = [] } = dataOf(result);
  if (passages.length === 0) return render(element('p', {}, 'No passage answers.'));
  render(
    ...passages.map((passage) => {
      const { title, link, kind } = documents[passage.document] ?? { title: '' };
      const at = kind === 'knowledge' && passage.start !== undefined ? `?at=${passage.start}` : '';
      const place = [passage.page && `page ${passage.page}`, passage.range, ...(passage.headings ?? [])];
      return element(
        'section',
        {},
        element(
          'h1',
          {},
          element(
            'button',
            { type: 'button', class: 'link', onclick: () => void request('ui/open-link', { url: link + at }) },
            title,
          ),
        ),
        element('p', { class: 'soft' }, place.filter(Boolean).join(' · ')),
        element('blockquote', {}, ...marked(passage.text)),
      );
    }),
  );
});
