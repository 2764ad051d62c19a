/** Tiny images of the types that sheets accept, in base64. */
export const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
export const gif = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
export const webp = 'UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==';
/** Only a JPEG header without image data: 3 pixels wide, 2 pixels high. */
export const jpeg = Buffer.from(
  'ffd8ffe000104a46494600010100000100010000ffc00011080002000303012200021101031101ffd9',
  'hex',
).toString('base64');
