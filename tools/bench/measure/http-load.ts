import autocannon from 'autocannon';

/** Sends `amount` POST requests and returns the seconds from the first to the last response. */
export async function measureHttpLoad(options: {
  url: string;
  headers: Record<string, string>;
  body: string;
  connections: number;
  amount: number;
}): Promise<number> {
  const start = performance.now();
  let end = start;
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const running = autocannon({ ...options, method: 'POST' }, (error, done) =>
      error ? reject(error as Error) : resolve(done),
    );
    // autocannon reports its end by a timer, up to a second late, so take the time of the last response.
    running.on('response', () => {
      end = performance.now();
    });
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${options.url}: ${result.non2xx} refused, ${result.errors} errors`);
  return (end - start) / 1000;
}
