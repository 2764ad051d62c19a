import type { Fragment, Node } from '@tiptap/pm/model';
import { Plugin, PluginKey } from '@tiptap/pm/state';
import { Decoration, DecorationSet } from '@tiptap/pm/view';
import type { Editor } from '@tiptap/react';
import { userColor } from '../sheets/user-color.ts';
import { noteMarkdown } from './editor-extensions.ts';
import { locateSuggestion, type DocumentChange } from './locate-suggestion.ts';
import type { OpenChange } from './suggestions.ts';

/** Maximum number of changes drawn in the note. The suggestions panel lists all changes. */
const maxDrawn = 200;
const key = new PluginKey<DecorationSet>('suggestions');

interface Drawn {
  readonly doc: Node;
  readonly changes: readonly OpenChange[];
  readonly names: string;
  readonly active: string | undefined;
}
const drawn = new WeakMap<Editor, Drawn>();

/**
 * Draws suggested changes in the note: removed text is struck through, followed by the inserted text. The drawings are
 * decorations, which do not change the document. `place` returns the changes with their positions in a Markdown text;
 * `label` returns a tooltip that names the author of a change.
 */
export function drawSuggestions(
  editor: Editor,
  place: (markdown: string) => readonly OpenChange[],
  { active, label }: { active: string | undefined; label: (change: OpenChange) => string },
): void {
  const { doc } = editor.state;
  const markdown = noteMarkdown.serialize(doc);
  const changes = place(markdown);
  const names = changes.map(label).join();
  const before = drawn.get(editor);
  const isSame =
    before?.doc === doc &&
    before.active === active &&
    before.names === names &&
    JSON.stringify(before.changes) === JSON.stringify(changes);
  if (isSame || (!before && changes.length === 0)) return;
  drawn.set(editor, { doc, changes, names, active });
  if (!key.get(editor.state)) editor.registerPlugin(createPlugin());
  const text = { parser: noteMarkdown, markdown, starts: noteMarkdown.blockStarts(doc) };
  const decorations = changes.slice(0, maxDrawn).flatMap((change) => {
    if (change.at === undefined) return [];
    const found = locateSuggestion(doc, text, { ...change, at: change.at });
    return found ? decorate(doc, found, change, { isActive: change.key === active, title: label(change) }) : [];
  });
  editor.view.dispatch(editor.state.tr.setMeta(key, decorations).setMeta('addToHistory', false));
}

/** Scrolls the note to a suggested change. Returns false if the change is not drawn in the note. */
export function scrollToSuggestion(pane: Element, change: string): boolean {
  const mark = pane.querySelector(`[data-suggestion="${CSS.escape(change)}"]`);
  mark?.scrollIntoView({ block: 'center', behavior: 'smooth' });
  return mark !== null;
}

function decorate(
  doc: Node,
  { from, to, inserted, isInline }: DocumentChange,
  { key: id, who }: OpenChange,
  { isActive, title }: { isActive: boolean; title: string },
): Decoration[] {
  const look = { 'data-suggestion': id, title, style: `--author: ${userColor(who)}` };
  const active = isActive ? ' suggested-active' : '';
  const marks: Decoration[] = [];
  if (to > from) marks.push(Decoration.inline(from, to, { ...look, nodeName: 'del', class: `suggested${active}` }));
  if (inserted.size > 0) {
    const element = document.createElement('ins');
    element.className = `suggested${isInline ? '' : ' suggested-blocks'}${active}`;
    for (const [name, value] of Object.entries(look)) if (name !== 'style') element.setAttribute(name, value);
    element.style.setProperty('--author', userColor(who));
    if (isInline) element.append(shownText(inserted));
    else inserted.forEach((block) => element.append(lineOf(block)));
    marks.push(
      Decoration.widget(to, isInList(doc, to) && !isInline ? inItem(element) : element, {
        side: 1,
        ignoreSelection: true,
        key: `${id}${active}${to}`,
      }),
    );
  }
  return marks;
}

const isInList = (doc: Node, position: number): boolean => doc.resolve(position).parent.type.name.endsWith('List');

/** Wraps an element in `li`, so that it can be inserted into an HTML list, which may contain only `li` elements. */
function inItem(element: HTMLElement): HTMLElement {
  const item = document.createElement('li');
  item.append(element);
  return item;
}

/**
 * Returns an element with the text of a suggested block. Images and links are not rendered, so that nothing is loaded
 * or executed before somebody accepts the block.
 */
function lineOf(block: Node): HTMLElement {
  const line = document.createElement('span');
  line.textContent = shownText(block.content) || noteMarkdown.serialize(block.type.schema.node('doc', null, block));
  return line;
}

function shownText(fragment: Fragment): string {
  return fragment.textBetween(0, fragment.size, '\n', (leaf) => {
    if (leaf.type.name === 'hardBreak') return '\n';
    const { alt, tex } = leaf.attrs as { alt?: string; tex?: string };
    return alt ?? tex ?? '';
  });
}

function createPlugin(): Plugin<DecorationSet> {
  return new Plugin<DecorationSet>({
    key,
    state: {
      init: () => DecorationSet.empty,
      apply(transaction, before) {
        const now = transaction.getMeta(key) as Decoration[] | undefined;
        return now ? DecorationSet.create(transaction.doc, now) : before.map(transaction.mapping, transaction.doc);
      },
    },
    props: { decorations: (state) => key.getState(state) },
  });
}
