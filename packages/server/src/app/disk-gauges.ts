import { statfs } from 'node:fs/promises';
import type { GaugeSource } from '../adapters/metrics/prometheus.ts';

/** Returns gauges of the disk that contains the folder. */
export function diskGauges(folder: string): GaugeSource[] {
  return [
    {
      name: 'sheaf_disk_free_bytes',
      help: 'Bytes that the server may still use on the disk with SHEAF_DATA.',
      async query() {
        const { bavail, bsize } = await statfs(folder);
        return bavail * bsize;
      },
    },
    {
      name: 'sheaf_disk_bytes',
      help: 'Size of the disk with SHEAF_DATA.',
      async query() {
        const { blocks, bsize } = await statfs(folder);
        return blocks * bsize;
      },
    },
  ];
}
