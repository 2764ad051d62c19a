/** The product's version; a test compares it with package.json. */
export const version = '0.3.0-dev';
