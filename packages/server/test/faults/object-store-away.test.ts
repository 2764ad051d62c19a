import { onTestFinished, expect, test } from 'vitest';
import { ownerKey, startNode } from '@sheaf/tools/testing/node-process.ts';
import { startS3 } from '@sheaf/tools/testing/s3.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';
import { awaySeconds, drill } from './drill.ts';

test(
  `[finding Q5] the object store is away for ${awaySeconds} s: the node lives, says so, recovers, and every acknowledged upload is read in the end`,
  { timeout: 400_000 + awaySeconds * 4000 },
  async () => {
    let s3 = await startS3();
    onTestFinished(() => s3.stop());
    const folder = await temporaryFolder();
    const env = {
      SHEAF_S3_ENDPOINT: s3.endpoint,
      SHEAF_S3_BUCKET: s3.bucket,
      SHEAF_S3_REGION: s3.region,
      SHEAF_S3_ACCESS_KEY: s3.accessKey,
      SHEAF_S3_SECRET_KEY: s3.secretKey,
    };
    const node = await startNode({ folder, env });
    onTestFinished(async () => void (await node.stop()));
    await drill({
      name: 'object store away',
      node,
      key: await ownerKey(folder),
      goAway: () => s3.stop(),
      comeBack: async () => {
        s3 = await startS3(s3);
      },
      says: 'the object store is not responding',
    });
    expect(await node.stop()).toBe(0);
  },
);
