interface UploadOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
  /**
   * Extracts the server's reason from the response body of a rejected upload. Undefined if the body contains no reason;
   * the error message then contains only the status.
   */
  readonly reasonIn?: (response: string) => string | undefined;
}

/** Sends a file with PUT. Uses XMLHttpRequest, because `fetch` cannot report upload progress. */
export function putFile(file: File, address: string, options: UploadOptions): Promise<void> {
  const { headers = {}, onProgress, signal, reasonIn } = options;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', address);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => onProgress(event.total === 0 ? 0 : event.loaded / event.total);
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) resolve();
      else reject(new Error(reasonIn?.(request.responseText) ?? `the storage answered status ${request.status}`));
    };
    request.onerror = () => reject(new Error('the connection was lost during the upload'));
    request.onabort = () => reject(new DOMException('the upload was cancelled', 'AbortError'));
    signal.addEventListener('abort', () => request.abort());
    if (signal.aborted) reject(new DOMException('the upload was cancelled', 'AbortError'));
    else request.send(file);
  });
}
