import type { Services } from '../../../context.ts';

/** The services that hosting documents requires. */
export type HostServices = Pick<Services, 'sheets' | 'blobs' | 'blobAccounting' | 'events' | 'clock' | 'log'> & {
  readonly config: Pick<Services['config'], 'SHEAF_QUOTA_BYTES'>;
};
