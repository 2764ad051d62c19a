import type { GaugeSource } from '../adapters/metrics/prometheus.ts';
import type { BlobStore } from '../ports/blob-store.ts';

/**
 * Returns Prometheus gauges of an object store: whether and how fast it answers, and how many requests failed. `errors`
 * returns the number of failed requests.
 */
export function storeGauges(blobs: BlobStore, errors: () => number): GaugeSource[] {
  let seconds = 0;
  return [
    { name: 'sheaf_store_errors', help: 'Requests to the object store that failed, since the start.', read: errors },
    {
      name: 'sheaf_store_up',
      help: 'Whether the object store answers: 1, or 0.',
      async query() {
        const began = performance.now();
        try {
          await blobs.ping();
        } finally {
          seconds = (performance.now() - began) / 1000;
        }
        return 1;
      },
      fallback: 0,
    },
    {
      name: 'sheaf_store_seconds',
      help: 'How long the object store took to answer when it was last asked by a scrape.',
      read: () => seconds,
    },
  ];
}
