/** Version of sheaf. A test checks that it equals the version in package.json. */
export const version = '0.3.0-dev';
