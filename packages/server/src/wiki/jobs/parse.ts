import { buffer } from 'node:stream/consumers';
import { whyNotTranscribed } from '../fetch-refusals.ts';
import type { Services } from '../../context.ts';
import { FormatError, type Decoded } from '@sheaf/files';
import { AskedTogether } from '../../lib/asked-together.ts';
import { later } from '../../lib/background.ts';
import { Budget } from '../../lib/budget.ts';
import { Turns } from '../../lib/turns.ts';
import { JobDelayed, JobFailed, type Job, type JobHandler } from '../../ports/job-queue.ts';
import { systemStamp, type Stamp } from '../../ports/stamp.ts';
import { TranscriptionFailed } from '../../ports/transcriber.ts';
import { parseJob, type Item, type ItemState, type ItemText } from '../../ports/wiki-store.ts';
import { blockedWord } from '../model.ts';
import { announce } from '../news.ts';
import { provisionalTitle } from '../web-pages.ts';
import { fetchOriginal, originalOf, type Original } from './fetch-original.ts';

/** Bytes of originals in memory at the same time: many small files go on together, large ones one by one. */
const memory = 128 * 2 ** 20;
/** What is read within it is never seen being read. */
const momentMs = 100;

/** Reads an item's original and keeps its text. */
export class ParseItem implements JobHandler {
  readonly kind = parseJob;
  readonly #services: Services;
  /** Jobs are claimed several at a time, and begin together. */
  readonly #items: AskedTogether<Item>;
  readonly #budget = new Budget(memory);
  /** More at once would be a burden to whoever is asked. */
  readonly #fetches = new Turns({ places: 16, share: 8 });

  constructor(services: Services) {
    this.#services = services;
    this.#items = new AskedTogether((ids) => services.wiki.items.items(ids));
  }

  async run(job: Job, signal: AbortSignal): Promise<void> {
    const item = await this.#items.get(job.subject);
    const version = versionOf(job);
    // Done by an attempt that died before it could say so, replaced meanwhile, or deleted: nothing is left to do.
    if (
      !item ||
      item.version !== version ||
      item.deletedAt !== null ||
      item.state === 'ready' ||
      item.state === 'failed'
    )
      return;
    if (item.blobKey !== '') {
      await this.#budget.use(item.userId, item.fileSize, async () => {
        const [original, decoded] = await this.#marked(item, () => this.#readStored(item, signal));
        await this.#keepText(item, original, decoded, signal);
      });
      return;
    }
    if (!(await this.#mark(item))) return;
    const fetched = await this.#fetches.use(item.userId, () => fetchOriginal(this.#services, item, signal));
    try {
      await this.#budget.use(item.userId, fetched.body.size, async () => {
        const original = await originalOf(this.#services, item, fetched);
        if (!original) return;
        const decoded = await this.#decode(item, original, signal, await this.#passwordOf(item));
        await this.#keepText(item, original, decoded, signal);
      });
    } finally {
      await fetched.body.discard();
    }
  }

  async giveUp(job: Job, reason: string): Promise<void> {
    const { wiki, searchFeed } = this.#services;
    const item = await wiki.items.item(job.subject);
    if (!item || !(await wiki.texts.failItem(this.#stamp(item), item.id, versionOf(job), reason))) return;
    this.#tell(item, 'failed');
    searchFeed.poke();
  }

  /** Notes that the item is being read where that takes longer than a moment: most files take less than noting it. */
  async #marked<Result>(item: Item, read: () => Promise<Result>): Promise<Result> {
    let marking: Promise<boolean> | undefined;
    const timer = later('noting what is being read', momentMs, () => {
      marking = this.#mark(item);
      // Whoever waits for it below hears of a failure.
      return marking.catch(() => undefined);
    });
    try {
      return await read();
    } finally {
      clearTimeout(timer);
      // First one, then the other: an item that is ready is not marked any more.
      await marking;
    }
  }

  /** False where the item was replaced or deleted. */
  async #mark(item: Item): Promise<boolean> {
    const isMarked = await this.#services.wiki.texts.setParsing(item.id, item.version);
    if (isMarked) this.#tell(item, 'parsing');
    return isMarked;
  }

  async #readStored(item: Item, signal: AbortSignal): Promise<[Original, Decoded]> {
    const [original, password] = await Promise.all([this.#stored(item), this.#passwordOf(item)]);
    return [original, await this.#decode(item, original, signal, password)];
  }

  async #keepText(item: Item, original: Original, decoded: Decoded, signal: AbortSignal): Promise<void> {
    const { wiki, searchFeed } = this.#services;
    const text = textOf(decoded);
    // A cover is loaded by whoever looks at the item: it must not lead a browser into somebody's network.
    if (typeof text.meta['cover'] === 'string' && !this.#services.web.mayFetch(text.meta['cover']))
      delete text.meta['cover'];
    if (original.kind === 'audio') await this.#addWords(item, text, signal);
    const word = blockedWord(this.#services, `${text.title}\n${text.body}`);
    if (word !== undefined)
      throw new JobFailed(`The text contains the word ${JSON.stringify(word)}, which this installation blocks.`);
    if (original.page && text.body.trim() === '' && text.title === '')
      throw new JobFailed('The page contains no text that can be read without running its scripts.');
    if (original.page) await this.#retitle(item, original.page.url, text.title);
    if (!(await wiki.texts.saveText(this.#stamp(item), item.id, item.version, text))) return;
    // That it is ready is told once it is found (`tellFound`).
    searchFeed.poke();
  }

  async #stored(item: Item): Promise<Original> {
    const stream = await this.#services.blobs.get(item.blobKey);
    if (!stream) throw new JobFailed('The file no longer exists. Upload it again.');
    return { bytes: await buffer(stream), kind: item.kind! };
  }

  async #passwordOf(item: Item): Promise<string | undefined> {
    if (!item.isSealed) return undefined;
    const { wiki, sealer } = this.#services;
    const sealed = await wiki.texts.sealedPassword(item.id);
    return sealed === '' ? undefined : sealer.unseal(sealed);
  }

  async #decode(item: Item, original: Original, signal: AbortSignal, password?: string): Promise<Decoded> {
    const { parser } = this.#services;
    const page = original.page ? { url: original.page.url, charset: original.page.charset, article: true } : {};
    try {
      return await parser.parse(original.bytes, {
        kind: original.kind,
        ...page,
        password,
        signal,
        caller: item.userId,
      });
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      // A crash may be the machine's fault; all else is the file's, and stays so.
      throw error.word === 'crashed'
        ? new JobDelayed(error.message, { cause: error })
        : new JobFailed(error.message, { cause: error });
    }
  }

  /** What is said in a recording, where the owner configured who listens to it; its tags come first. */
  async #addWords(item: Item, text: ItemText, signal: AbortSignal): Promise<void> {
    const { transcriber, wiki } = this.#services;
    if (!transcriber) {
      text.remark =
        'What is said in recordings is not transcribed by this installation (its owner can set ' +
        'SHEAF_TRANSCRIBE_URL); this one is found by its name and tags.';
      return;
    }
    // A link to a file has become one by now; the bytes read before were handed to the parser.
    const stored = (await wiki.items.item(item.id)) ?? item;
    const { bytes } = await this.#stored(stored);
    try {
      const words = await transcriber.transcribe(
        { bytes, fileName: stored.fileName, contentType: stored.contentType },
        signal,
      );
      text.body = [text.body, words].filter((part) => part.trim() !== '').join('\n\n');
      text.remark =
        words.trim() === '' ? 'Nothing is said in the recording; it is found by its name and tags.' : undefined;
    } catch (error) {
      if (error instanceof TranscriptionFailed) throw new JobDelayed(whyNotTranscribed(error.why), { cause: error });
      throw error;
    }
  }

  /** A page that was called by its address until now gets the title it gives itself; one that a person named keeps that. */
  async #retitle(item: Item, finalUrl: string, title: string): Promise<void> {
    const isProvisional = [item.contentId, finalUrl].some((url) => item.title === provisionalTitle(url));
    if (title !== '' && isProvisional)
      await this.#services.wiki.texts.retitle(
        this.#stamp(item),
        item.id,
        item.version,
        [...title].slice(0, 1024).join(''),
      );
  }

  #stamp(item: Item): Stamp {
    return systemStamp(this.#services.clock.now(), `job:${parseJob}`, item.userId);
  }

  #tell(item: Item, state: ItemState): void {
    announce(this.#services, item.baseId, {
      user_id: item.userId,
      key_id: '',
      operation: `job:${parseJob}`,
      target: item.id,
      state,
    });
  }
}

function versionOf(job: Job): number {
  return (job.payload as { version: number }).version;
}

function textOf(decoded: Decoded): ItemText {
  return {
    title: decoded.title ?? '',
    headings: decoded.headings.map((heading) => heading.text).join('\n'),
    body: decoded.text,
    outline: {
      headings: decoded.headings.map(({ level, offset, text }) => ({ level, offset, text: text.slice(0, 200) })),
      pages: decoded.pages ?? [],
    },
    meta: { ...decoded.meta },
    remark: decoded.remark,
  };
}
