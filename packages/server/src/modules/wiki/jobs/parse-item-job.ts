import { availableParallelism, loadavg } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { describeTranscriptionFailure } from '../fetch-errors.ts';
import type { Services } from '../../../context.ts';
import { FormatError, type DecodedFile } from '@sheaf/files';
import { BatchLoader } from '../../../lib/batch-loader.ts';
import { runDelayed } from '../../../lib/background-tasks.ts';
import { MemoryBudget } from '../../../lib/memory-budget.ts';
import { FairScheduler } from '../../../lib/fair-scheduler.ts';
import { JobDelayed, JobFailed, JobPostponed, type Job, type JobHandler } from '../../../ports/job-queue.ts';
import { isLargeFile } from '../../../ports/file-parser.ts';
import { systemStamp, type Stamp } from '../../../ports/audit-stamp.ts';
import { TranscriptionFailed } from '../../../ports/transcriber.ts';
import { largeParseJob, parseJob, type Item, type ItemState, type ItemText } from '../../../ports/wiki-store.ts';
import { findBlockedWord } from '../wiki-writes.ts';
import { publishBaseEvent } from '../events.ts';
import { provisionalTitle } from '../web-page-urls.ts';
import { fetchOriginal, storeOriginal, type OriginalFile } from './fetch-original.ts';
import { addAttachmentItems } from './add-attachment-items.ts';

/** Maximum total bytes of the original files that jobs hold in memory at the same time, by kind of job. */
const maxBytesInMemory = { [parseJob]: 64 * 2 ** 20, [largeParseJob]: 128 * 2 ** 20 };
/**
 * Maximum number of large files that are held in memory at the same time. Some of them wait in memory, because the
 * parser decodes fewer files at once.
 */
const largeSlots = 8;
/**
 * Maximum duration of a job in milliseconds. It is long, because a file may wait for many others. Fetching, parsing and
 * transcribing have their own limits.
 */
const maxJobMs = 6 * 60 * 60_000;
/** Interval in milliseconds at which a job that waits for low load checks the load. */
const calmCheckMs = 30_000;
/** Age of a job in milliseconds after which it no longer waits for low load. */
const maxCalmWaitMs = 60 * 60_000;
/** Load average per processor below which the load counts as low. */
const calmLoad = 0.7;
/**
 * Stored as the reason of a job whose file exceeded the parser's time limit. A job with this reason waits for low load
 * before it parses the file again.
 */
const retriedReason = 'The file took too long to read. It is read again when the server is less busy.';
/**
 * Delay in milliseconds before an item's state is set to `parsing`. Items that are parsed faster never get this state.
 */
const parsingStateDelayMs = 100;

export interface ParseItemJobOptions {
  kind?: typeof parseJob | typeof largeParseJob;
  isCalm?: () => boolean;
}

/** Handler of background jobs that each parse an item's original file or web page and store its text. */
export class ParseItemJob implements JobHandler {
  readonly kind: typeof parseJob | typeof largeParseJob;
  readonly slots?: number;
  readonly maxJobMs = maxJobMs;
  readonly #services: Services;
  readonly #isCalm: () => boolean;
  /**
   * Loads the items of jobs by id. Several jobs are claimed at a time and start together, so one query reads the items
   * of all these jobs.
   */
  readonly #items: BatchLoader<Item>;
  readonly #budget: MemoryBudget;
  /** Limits the number of parallel fetches, so that other servers are not overloaded. */
  readonly #fetches = new FairScheduler({ slots: 16, maxPerOwner: 8 });

  constructor(services: Services, { kind = parseJob, isCalm = isMachineCalm }: ParseItemJobOptions = {}) {
    this.kind = kind;
    if (kind === largeParseJob) this.slots = largeSlots;
    this.#services = services;
    this.#isCalm = isCalm;
    this.#budget = new MemoryBudget(maxBytesInMemory[kind]);
    this.#items = new BatchLoader((ids) => services.wiki.items.items(ids));
  }

  async run(job: Job, signal: AbortSignal): Promise<void> {
    const item = await this.#items.load(job.subject);
    const version = versionOf(job);
    // Skip the job if an earlier attempt finished but the job queue did not record this, or if the item was replaced or
    // deleted.
    if (
      !item ||
      item.version !== version ||
      item.deletedAt !== null ||
      item.state === 'ready' ||
      item.state === 'failed'
    )
      return;
    if (job.reason === retriedReason && !this.#isCalm() && this.#services.clock.now() < job.createdAt + maxCalmWaitMs)
      throw new JobPostponed(calmCheckMs);
    if (item.blobKey !== '') {
      await this.#budget.use(item.userId, item.fileSize, async () => {
        const [original, decoded] = await this.#withParsingState(item, () => this.#readStored(job, item, signal));
        await this.#saveText(item, original, decoded, signal);
      });
      return;
    }
    if (!(await this.#setParsing(item))) return;
    const fetched = await this.#fetches.run(item.userId, () => fetchOriginal(this.#services, item, signal));
    try {
      await this.#budget.use(item.userId, fetched.body.size, async () => {
        const original = await storeOriginal(this.#services, item, fetched);
        if (!original) return;
        if (!original.page && isLargeFile(original.bytes.length)) return this.#continueAsLarge(job);
        const decoded = await this.#decode(job, item, original, signal, await this.#passwordOf(item));
        await this.#saveText(item, original, decoded, signal);
      });
    } finally {
      await fetched.body.discard();
    }
  }

  /**
   * Queues a file that turned out to be large as a job for large files. These jobs have their own limits of memory and
   * parallel jobs.
   */
  async #continueAsLarge({ subject, payload, owner }: Job): Promise<void> {
    const { jobs, clock } = this.#services;
    const stamp = systemStamp(clock.now(), `job:${parseJob}`, owner);
    await jobs.enqueue(stamp, { kind: largeParseJob, subject, payload, owner });
  }

  async giveUp(job: Job, reason: string): Promise<void> {
    const { wiki, searchFeed } = this.#services;
    const item = await wiki.items.item(job.subject);
    if (!item || !(await wiki.texts.failItem(this.#stamp(item), item.id, versionOf(job), reason))) return;
    this.#publishState(item, 'failed');
    searchFeed.wake();
  }

  /**
   * Runs `read`. Sets the item's state to `parsing` only if this takes longer than `parsingStateDelayMs`, because for
   * most files setting the state takes longer than parsing.
   */
  async #withParsingState<Result>(item: Item, read: () => Promise<Result>): Promise<Result> {
    let marking: Promise<boolean> | undefined;
    const timer = runDelayed('noting what is being read', parsingStateDelayMs, () => {
      marking = this.#setParsing(item);
      // Prevent an unhandled rejection here. The `await` in the `finally` block reports the failure.
      return marking.catch(() => undefined);
    });
    try {
      return await read();
    } finally {
      clearTimeout(timer);
      // Wait until the state `parsing` is stored. Otherwise it could overwrite the later state `ready`.
      await marking;
    }
  }

  /** Sets the item's state to `parsing`. Returns false if the item was replaced or deleted. */
  async #setParsing(item: Item): Promise<boolean> {
    const isMarked = await this.#services.wiki.texts.setParsing(item.id, item.version);
    if (isMarked) this.#publishState(item, 'parsing');
    return isMarked;
  }

  async #readStored(job: Job, item: Item, signal: AbortSignal): Promise<[OriginalFile, DecodedFile]> {
    const [original, password] = await Promise.all([this.#stored(item), this.#passwordOf(item)]);
    return [original, await this.#decode(job, item, original, signal, password)];
  }

  async #saveText(item: Item, original: OriginalFile, decoded: DecodedFile, signal: AbortSignal): Promise<void> {
    const { wiki, searchFeed } = this.#services;
    const text = textOf(decoded);
    // The imported page chooses its cover image, and readers' browsers load it. Therefore remove a URL that leads into
    // a private network.
    if (typeof text.meta['cover'] === 'string' && !this.#services.web.mayFetch(text.meta['cover']))
      delete text.meta['cover'];
    if (original.kind === 'audio') await this.#addTranscript(item, text, signal);
    const word = findBlockedWord(this.#services, `${text.title}\n${text.body}`);
    if (word !== undefined)
      throw new JobFailed(`The text contains the word ${JSON.stringify(word)}, which this installation blocks.`);
    if (original.page && text.body.trim() === '' && text.title === '')
      throw new JobFailed('The page contains no text that can be read without running its scripts.');
    if (original.page) await this.#retitle(item, original.page.url, text.title);
    // Store the attachments before the text: once its text is stored, an item is not parsed again.
    const lost = await addAttachmentItems(this.#services, () => this.#stamp(item), item, decoded.attachments ?? []);
    if (lost !== undefined) text.remark = text.remark === undefined ? lost : `${text.remark} ${lost}`;
    if (!(await wiki.texts.saveText(this.#stamp(item), item.id, item.version, text))) return;
    // Start indexing the text without delay. When the text is in the search index, `publishReadyItems` reports the item
    // as ready.
    searchFeed.wake();
  }

  async #stored(item: Item): Promise<OriginalFile> {
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

  async #decode(
    job: Job,
    item: Item,
    original: OriginalFile,
    signal: AbortSignal,
    password: string | undefined,
  ): Promise<DecodedFile> {
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
      // On a busy machine, even the CPU time of parsing grows. Retry a single time, when the load is low.
      if (error.word === 'timed_out' && job.reason !== retriedReason && job.attempts < job.maxAttempts)
        throw new JobPostponed(calmCheckMs, retriedReason);
      // A crash of the parser may be caused by the state of the machine, so retry. All other format errors are
      // permanent.
      throw error.word === 'crashed'
        ? new JobDelayed(error.message, { cause: error })
        : new JobFailed(error.message, { cause: error });
    }
  }

  /**
   * Appends a transcript to the text of a recording. Adds a remark instead if no transcription service is configured.
   */
  async #addTranscript(item: Item, text: ItemText, signal: AbortSignal): Promise<void> {
    const { transcriber, wiki } = this.#services;
    if (!transcriber) {
      text.remark =
        'What is said in recordings is not transcribed by this installation (its owner can set ' +
        'SHEAF_TRANSCRIBE_URL); this one is found by its name and tags.';
      return;
    }
    // Read the item and its bytes again. The earlier bytes are gone, because they were transferred to the parser's
    // thread. If the file was fetched from a link, the item has changed too, because the fetched file was stored with
    // it.
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
      if (error instanceof TranscriptionFailed)
        throw new JobDelayed(describeTranscriptionFailure(error.why), { cause: error });
      throw error;
    }
  }

  /** Replaces a provisional title (the URL) by the page's own title. A title that the user set is not changed. */
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

  #publishState(item: Item, state: ItemState): void {
    publishBaseEvent(this.#services, item.baseId, {
      user_id: item.userId,
      key_id: '',
      operation: `job:${parseJob}`,
      target: item.id,
      state,
    });
  }
}

/** Returns whether the processors have time to spare. Always true on Windows, because it reports no load. */
function isMachineCalm(): boolean {
  return loadavg()[0]! / availableParallelism() < calmLoad;
}

function versionOf(job: Job): number {
  return (job.payload as { version: number }).version;
}

function textOf(decoded: DecodedFile): ItemText {
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
