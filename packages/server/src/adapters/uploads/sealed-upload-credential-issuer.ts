import { createHmac } from 'node:crypto';
import { randomText } from '../../lib/ids.ts';
import type { PublicUrl } from '../../lib/public-url.ts';
import {
  uploadBucket,
  type UploadCredential,
  type UploadCredentialIssuer,
  type UploadGrant,
} from '../../ports/upload-credentials.ts';
import { derivePurposeKey } from '../crypto/derive-key.ts';
import { SecretSealer } from '../crypto/secret-sealer.ts';

const lifeMs = 60 * 60 * 1000;

/**
 * Issues credentials for uploading one file, without storing them. The token is the encrypted grant (what may be
 * uploaded, by whom and until when), and the secret key is derived from the token's id. So every node can check a
 * token.
 */
export class SealedUploadCredentialIssuer implements UploadCredentialIssuer {
  readonly #sealer: SecretSealer;
  readonly #signing: Buffer;
  readonly #address: PublicUrl;

  constructor(secret: Uint8Array, address: PublicUrl) {
    this.#sealer = new SecretSealer(secret, 'upload token');
    this.#signing = derivePurposeKey(secret, 'upload secret key');
    this.#address = address;
  }

  issue(given: Omit<UploadGrant, 'expiresAt'> & { now: number }): UploadCredential & { expiresAt: number } {
    const { now, ...rest } = given;
    const grant: UploadGrant = { ...rest, expiresAt: now + lifeMs };
    const secretId = `AKID${randomText(28)}`;
    return {
      token: this.#sealer.seal(JSON.stringify(toSealed(secretId, grant))),
      secret_id: secretId,
      secret_key: this.#secretKey(secretId),
      start_time: Math.floor(now / 1000),
      expired_time: Math.floor(grant.expiresAt / 1000),
      appid: uploadBucket.appId,
      bucket_name: uploadBucket.name,
      region: uploadBucket.region,
      custom_domain: this.#address.hostAndPort,
      cos_key: grant.blobKey,
      expiresAt: grant.expiresAt,
    };
  }

  open(token: string): { grant: UploadGrant; secretId: string; secretKey: string } | undefined {
    const opened = this.#sealer.unseal(token);
    if (opened === undefined) return undefined;
    const { secretId, grant } = JSON.parse(opened) as Sealed;
    const { cosKey: blobKey, ...rest } = grant;
    return { grant: { ...rest, blobKey }, secretId, secretKey: this.#secretKey(secretId) };
  }

  #secretKey(secretId: string): string {
    return createHmac('sha256', this.#signing).update(secretId).digest('base64url').slice(0, 40);
  }
}

/**
 * Content of a token before encryption. The field names, such as `cosKey`, must never change, so that nodes of
 * different releases accept each other's tokens during an upgrade.
 */
interface Sealed {
  secretId: string;
  grant: Omit<UploadGrant, 'blobKey'> & { cosKey: string };
}

function toSealed(secretId: string, { blobKey, ...rest }: UploadGrant): Sealed {
  return { secretId, grant: { ...rest, cosKey: blobKey } };
}
