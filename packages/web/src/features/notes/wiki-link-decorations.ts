import { Plugin, PluginKey, type EditorState } from '@tiptap/pm/state';
import type { Node } from '@tiptap/pm/model';
import { Decoration, DecorationSet } from '@tiptap/pm/view';
import type { Editor } from '@tiptap/react';
import { useContext, useEffect, useRef } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { LinkTargetsContext, noteLinkPattern, targetOf, type LinkTarget, type LinkTargets } from './link-targets.ts';
import { useOpenTarget } from './text-with-links.tsx';

interface FoundLink {
  readonly from: number;
  readonly to: number;
  readonly title: string;
}

interface LinkState {
  readonly links: LinkTargets | undefined;
  readonly decorations: DecorationSet;
}

const key = new PluginKey<LinkState>('noteLinks');

/**
 * Cache of the `[[links]]` in each text block of the document. Blocks are immutable, so only changed blocks are
 * searched again.
 */
const foundIn = new WeakMap<Node, readonly FoundLink[]>();

function linksIn(block: Node): readonly FoundLink[] {
  const before = foundIn.get(block);
  if (before) return before;
  const text = block.textBetween(0, block.content.size, undefined, '\ufffc');
  const found = [...text.matchAll(noteLinkPattern)]
    .map((match) => ({ from: match.index, to: match.index + match[0].length, title: match[1]! }))
    .filter(({ from }) => !block.rangeHasMark(from, from + 1, block.type.schema.marks['code']!));
  foundIn.set(block, found);
  return found;
}

function decorate(doc: Node, links: LinkTargets | undefined, missing: (title: string) => string): DecorationSet {
  if (!links) return DecorationSet.empty;
  const decorations: Decoration[] = [];
  doc.descendants((node, position) => {
    if (!node.isTextblock) return true;
    if (node.type.spec.code) return false;
    for (const { from, to, title } of linksIn(node)) {
      const attributes = targetOf(links, title)
        ? { class: 'link-to-note' }
        : { class: 'link-missing', title: missing(title) };
      decorations.push(Decoration.inline(position + 1 + from, position + 1 + to, attributes));
    }
    return false;
  });
  return DecorationSet.create(doc, decorations);
}

function linkAt(state: EditorState, position: number): FoundLink | undefined {
  const $at = state.doc.resolve(position);
  if (!$at.parent.isTextblock || $at.parent.type.spec.code) return undefined;
  return linksIn($at.parent).find(({ from, to }) => from < $at.parentOffset && $at.parentOffset < to);
}

function createPlugin(open: (target: LinkTarget) => void, missing: (title: string) => string): Plugin<LinkState> {
  return new Plugin<LinkState>({
    key,
    state: {
      init: () => ({ links: undefined, decorations: DecorationSet.empty }),
      apply(transaction, before) {
        const news = transaction.getMeta(key) as { links: LinkTargets | undefined } | undefined;
        if (!news && !transaction.docChanged) return before;
        const links = news ? news.links : before.links;
        return { links, decorations: decorate(transaction.doc, links, missing) };
      },
    },
    props: {
      decorations: (state) => key.getState(state)?.decorations,
      handleClick(view, position, event) {
        const links = key.getState(view.state)?.links;
        const found = linkAt(view.state, position);
        const target = links && found && targetOf(links, found.title);
        if (!target || event.shiftKey) return false;
        open(target);
        return true;
      },
    },
  });
}

/**
 * Marks `[[links]]` in the editor with decorations, which do not change the text, and opens the target of a link when
 * the user clicks it. Links without a target are marked as missing.
 */
export function useWikiLinkDecorations(editor: Editor | null): void {
  const text = useTranslation();
  const links = useContext(LinkTargetsContext);
  const open = useRef(useOpenTarget());
  open.current = useOpenTarget();
  useEffect(() => {
    if (!editor || editor.isDestroyed) return undefined;
    editor.registerPlugin(
      createPlugin(
        (target) => open.current(target),
        (name) => text('linkWithoutTarget', { name }),
      ),
    );
    return () => void (editor.isDestroyed || editor.unregisterPlugin(key));
  }, [editor, text]);
  useEffect(() => {
    if (editor && !editor.isDestroyed) editor.view.dispatch(editor.state.tr.setMeta(key, { links }));
  }, [editor, links, text]);
}
