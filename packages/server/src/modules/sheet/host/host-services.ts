import type { Services } from '../../../context.ts';

export type HostServices = Pick<Services, 'sheets' | 'blobs' | 'blobAccounting' | 'events' | 'clock' | 'log'> & {
  readonly config: Pick<Services['config'], 'SHEAF_QUOTA_BYTES'>;
};
