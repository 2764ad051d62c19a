/** Editors of one note in which several people type at once: the letters of each stay together, wherever the others write. */
import { EditorState, TextSelection } from '@tiptap/pm/state';
import { NoteMarkdown } from '@sheaf/markdown/note-markdown';
import { SharedTextCopy } from '@sheaf/markdown/shared-text';
import { SeededRandom } from '@sheaf/tools/testing/seeded-random.ts';
import { expect, test } from 'vitest';
import { changeDocument } from '../src/features/notes/change-document.ts';

const parser = new NoteMarkdown();
const programs = Number(process.env['SHEAF_PROGRAMS'] ?? 20);
const steps = 60;

/** The editor of one person, with a copy of the shared text, as NoteRoomBinding connects them. */
class Page {
  readonly name: string;
  readonly copy: SharedTextCopy;
  words = 0;
  typed = '';
  #state: EditorState;
  /** The text that the editor shows. It lags behind the copy. */
  #shown: string;

  constructor(name: string, start: Uint8Array) {
    this.name = name;
    this.copy = new SharedTextCopy(start);
    this.#shown = this.copy.markdown;
    const doc = parser.parseDocument(this.#shown);
    let end = 0;
    doc.descendants((node, position) => {
      if (node.isTextblock && node.textContent === `${name}:`) end = position + 1 + node.content.size;
    });
    this.#state = EditorState.create({ doc, selection: TextSelection.create(doc, end) });
  }

  type(text: string): void {
    this.#state = this.#state.apply(this.#state.tr.insertText(text));
    this.typed += text;
    this.#shown = this.copy.changeView(this.#shown, parser.serialize(this.#state.doc), true);
  }

  show(): void {
    this.#shown = this.copy.markdown;
    this.#state = this.#state.apply(changeDocument(this.#state, parser.parseDocument(this.#shown)));
  }

  get text(): string {
    return parser.serialize(this.#state.doc);
  }
}

/** Markdown does not tell several spaces from one, and has none at the ends of lines. */
const spaced = (text: string): string => text.replace(/ +/g, ' ').trim();

/** Brings everything that is unsent to all, as a room does. */
function exchange(pages: readonly Page[]): void {
  for (const from of pages) for (const to of pages) if (from !== to) to.copy.receive(from.copy.stored().state);
}

test.each([
  ['lines', '# Cuts\n\nada:\n\nben:\n\neve:\n\nend'],
  ['items', '# Cuts\n\n- ada:\n- ben:\n  - eve:\n- end'],
  ['tasks and a quote', '- [ ] ada:\n- [ ] ben:\n\n> eve:\n>\n> end'],
  ['cells that another program laid out', '| a    | b    |\n| :--- | ---- |\n| ada: | ben: |\n| eve: | end  |'],
  ['cells', '| a | b |\n| --- | --- |\n| ada: | ben: |\n| eve: | end |'],
])('[finding P12] in %s: whatever arrives between two keys, what one person types is one text', (kind, markdown) => {
  for (let seed = 0; seed < programs; seed++) {
    const random = new SeededRandom(seed);
    const first = new SharedTextCopy(new Uint8Array([0, 0]));
    first.change(markdown);
    const pages = ['ada', 'ben', 'eve'].map((name) => new Page(name, first.stored().state));
    for (let step = 0; step < steps; step++) {
      const page = random.oneOf(pages);
      const action = random.below(6);
      if (action === 0) page.copy.receive(random.oneOf(pages).copy.stored().state);
      else if (action === 1) page.show();
      else if (action === 2) page.type(' ');
      else {
        page.type(`${page.name}${page.words++}`);
      }
    }
    exchange(pages);
    for (const page of pages) page.show();
    for (const page of pages) {
      const at = `${kind}, program ${seed}, ${page.name}: ${page.text}`;
      expect(page.copy.markdown, at).toBe(pages[0]!.copy.markdown);
      const doc = parser.parseDocument(page.copy.markdown);
      const lines = doc.textBetween(0, doc.content.size, '\n').split('\n');
      const own = lines.find((line) => line.startsWith(`${page.name}:`))!;
      expect(spaced(own), at).toBe(spaced(`${page.name}:${page.typed}`));
    }
  }
});
