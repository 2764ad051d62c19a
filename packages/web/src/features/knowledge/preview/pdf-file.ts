import type { PDFDocumentProxy, PDFPageProxy } from 'unpdf/pdfjs';

type Library = typeof import('unpdf/pdfjs');

/**
 * Limits of the canvas on which a page is drawn. `maxPixels` is its maximum number of pixels, because browsers draw
 * nothing on larger canvases. `maxSharpness` is the maximum number of canvas pixels per CSS pixel in each direction.
 */
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

  /**
   * Opens a PDF file. Rejects if the file cannot be loaded, is damaged, has a password, or contains images that the PDF
   * library cannot draw.
   */
  static async open(address: string): Promise<PdfFile> {
    // The page and the worker load the PDF library from the same URL, so that the browser fetches it only once.
    const { default: libraryUrl } = await import('unpdf/pdfjs?url');
    const [library, response] = await Promise.all([
      import(/* @vite-ignore */ libraryUrl) as Promise<Library>,
      fetch(address),
    ]);
    if (!response.ok) throw new Error(`the file could not be loaded: ${response.status}`);
    const data = await response.arrayBuffer();
    // `/JPXDecode` marks JPEG 2000 images in a PDF file. This build of the PDF library cannot decode them and would
    // leave them blank without an error.
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
        // Do not let the library compile code from strings, which the Content Security Policy forbids.
        isEvalSupported: false,
        // Report an error for a page that cannot be drawn completely, so that the caller can use another viewer.
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

  /**
   * Returns the number (from 1) of the page that a link inside the file points to; undefined if the link has no target.
   */
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

/** Record of the data files that the PDF library has requested but that the app does not ship. */
interface MissingData {
  /**
   * True if the PDF file uses a Chinese, Japanese or Korean encoding that needs a character map. Without the map the
   * PDF library omits the text.
   */
  wantsCharacterMaps: boolean;
}

/**
 * Returns the class through which the PDF library requests data files, such as character maps. The class rejects every
 * request, because the app ships no such files, and records in `missing` that character maps were requested.
 */
function factoryOf(missing: MissingData): new () => object {
  return class {
    fetch({ kind, filename }: { kind: string; filename: string }): Promise<never> {
      if (kind === 'cMapUrl') missing.wantsCharacterMaps = true;
      return Promise.reject(new Error(`not shipped: ${filename}`));
    }
  };
}

/** A piece of the text of a page, as the PDF library returns it. `hasEOL` is true if the piece ends a line. */
export interface PdfText {
  readonly str: string;
  readonly hasEOL: boolean;
}

export interface PdfLink {
  /** URL of the link; undefined if the link points to a place in the same PDF file. */
  readonly url: string | undefined;
  readonly destination: string | readonly unknown[];
  /** Position and size of the link's area on the page, in pixels at scale 1. */
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

  /**
   * Draws the page on a canvas. Stops without an error when `signal` is aborted. Rejects if the page cannot be drawn
   * completely.
   */
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
   * Adds the invisible text layer over the drawn page, for selection, highlights and screen readers. Returns one
   * element for each text piece that `texts()` returns, in the same order.
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

/** The fields of a PDF annotation (such as a link) that this module reads. The PDF library exports no type for them. */
interface Annotation {
  readonly subtype: string;
  readonly rect: readonly number[];
  /** URL that the PDF library has accepted as safe. */
  readonly url?: string;
  readonly dest?: string | readonly unknown[];
}
