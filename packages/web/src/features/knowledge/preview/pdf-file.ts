import type { PDFDocumentProxy, PDFPageProxy } from 'unpdf/pdfjs';

type Library = typeof import('unpdf/pdfjs');

/** Number of canvas pixels that a page takes at most; browsers draw nothing on larger canvases. */
const maxPixels = 2 ** 24;
const maxSharpness = 3;

/** An opened PDF file. Its parser runs in a worker. */
export class PdfFile {
  readonly #library: Library;
  readonly #document: PDFDocumentProxy;
  readonly #missing: MissingData;
  readonly #endWorker: () => void;

  private constructor(library: Library, document: PDFDocumentProxy, missing: MissingData, endWorker: () => void) {
    this.#library = library;
    this.#document = document;
    this.#missing = missing;
    this.#endWorker = endWorker;
  }

  /** Rejects if the file is damaged, has a password, or contains pictures that the library cannot draw. */
  static async open(address: string): Promise<PdfFile> {
    // The library is one file that is both the worker and what the page calls. By its address, it is fetched only once.
    const { default: libraryUrl } = await import('unpdf/pdfjs?url');
    const [library, response] = await Promise.all([
      import(/* @vite-ignore */ libraryUrl) as Promise<Library>,
      fetch(address),
    ]);
    if (!response.ok) throw new Error(`the file could not be loaded: ${response.status}`);
    const data = await response.arrayBuffer();
    // This build of the library has no decoder for JPEG 2000: it would leave such pictures blank without an error.
    if (new TextDecoder('latin1').decode(data).includes('/JPXDecode')) throw new Error('JPEG 2000 cannot be drawn');
    const port = new Worker(libraryUrl, { type: 'module' });
    const worker = library.PDFWorker.create({ port });
    const endWorker = (): void => {
      worker.destroy();
      port.terminate();
    };
    const missing: MissingData = { wantsCharacterMaps: false };
    try {
      const opened = library.getDocument({
        data,
        worker,
        useWorkerFetch: false,
        BinaryDataFactory: factoryOf(missing),
        verbosity: library.VerbosityLevel.ERRORS,
        // The Content Security Policy does not allow code from strings.
        isEvalSupported: false,
        // A page that cannot be drawn completely fails, so that the caller can show the file in another way.
        stopAtErrors: true,
      });
      return new PdfFile(library, await opened.promise, missing, endWorker);
    } catch (error) {
      endWorker();
      throw error;
    }
  }

  get pageCount(): number {
    return this.#document.numPages;
  }

  async page(number: number): Promise<PdfPage> {
    return new PdfPage(this.#library, await this.#document.getPage(number), this.#missing);
  }

  /** Returns the number of the page that a link within the file leads to. */
  async targetOf(destination: string | readonly unknown[]): Promise<number | undefined> {
    const place = typeof destination === 'string' ? await this.#document.getDestination(destination) : destination;
    const page = place?.[0] as { num: number; gen: number } | number | undefined;
    if (page === undefined || page === null) return undefined;
    return (typeof page === 'number' ? page : await this.#document.getPageIndex(page)) + 1;
  }

  close(): void {
    this.#document.loadingTask.destroy().then(this.#endWorker, this.#endWorker);
  }
}

/** What a file asked for although it is not shipped with the page. */
interface MissingData {
  /** Maps of Chinese, Japanese and Korean encodings, without which the library leaves out the text. */
  wantsCharacterMaps: boolean;
}

/** Returns a class that the library asks for data that is not part of it. */
function factoryOf(missing: MissingData): new () => object {
  return class {
    fetch({ kind, filename }: { kind: string; filename: string }): Promise<never> {
      if (kind === 'cMapUrl') missing.wantsCharacterMaps = true;
      return Promise.reject(new Error(`not shipped: ${filename}`));
    }
  };
}

/** A text of a page, in the order of the file. `hasEOL` tells whether it ends a line. */
export interface PdfText {
  readonly str: string;
  readonly hasEOL: boolean;
}

export interface PdfLink {
  /** Address outside of the file; undefined for a link within it. */
  readonly url: string | undefined;
  readonly destination: string | readonly unknown[];
  /** Place on the page at scale 1. */
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export class PdfPage {
  readonly width: number;
  readonly height: number;
  readonly #library: Library;
  readonly #page: PDFPageProxy;
  readonly #missing: MissingData;

  constructor(library: Library, page: PDFPageProxy, missing: MissingData) {
    this.#library = library;
    this.#page = page;
    this.#missing = missing;
    ({ width: this.width, height: this.height } = page.getViewport({ scale: 1 }));
  }

  async texts(): Promise<PdfText[]> {
    const { items } = await this.#page.getTextContent();
    return items.filter((item) => 'str' in item);
  }

  async links(): Promise<PdfLink[]> {
    const viewport = this.#page.getViewport({ scale: 1 });
    const all = (await this.#page.getAnnotations()) as readonly Annotation[];
    return all
      .filter(({ subtype, url, dest }) => subtype === 'Link' && (/^(https?|mailto):/.test(url ?? '') || dest))
      .map(({ rect, url, dest }) => {
        const [x, y] = viewport.convertToViewportPoint(rect[0]!, rect[1]!) as [number, number];
        const [right, bottom] = viewport.convertToViewportPoint(rect[2]!, rect[3]!) as [number, number];
        return {
          url,
          destination: dest ?? '',
          left: Math.min(x, right),
          top: Math.min(y, bottom),
          width: Math.abs(right - x),
          height: Math.abs(bottom - y),
        };
      });
  }

  /** Draws the page. Ends early, without an error, when `signal` is aborted. */
  async draw(canvas: HTMLCanvasElement, scale: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const pixels = this.width * this.height * scale ** 2;
    const sharpness = Math.min(devicePixelRatio, maxSharpness, Math.sqrt(maxPixels / pixels));
    const viewport = this.#page.getViewport({ scale: scale * sharpness });
    canvas.width = Math.floor(viewport.width);
    canvas.height = Math.floor(viewport.height);
    const task = this.#page.render({ canvas, viewport });
    signal.addEventListener('abort', () => task.cancel(), { once: true });
    await task.promise.catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    if (this.#missing.wantsCharacterMaps) throw new Error('the file needs character maps, which are not shipped');
  }

  /**
   * Puts the texts of the page over its picture, invisibly: to be selected, marked and read aloud. Returns an element
   * for each of `texts`.
   */
  async layTexts(container: HTMLElement): Promise<readonly HTMLElement[]> {
    const layer = new this.#library.TextLayer({
      textContentSource: await this.#page.getTextContent(),
      container,
      viewport: this.#page.getViewport({ scale: 1 }),
    });
    await layer.render();
    return layer.textDivs;
  }
}

/** What the page reads of an annotation; the library has no type for it. */
interface Annotation {
  readonly subtype: string;
  readonly rect: readonly number[];
  /** Address that the library found to be a valid one. */
  readonly url?: string;
  readonly dest?: string | readonly unknown[];
}
