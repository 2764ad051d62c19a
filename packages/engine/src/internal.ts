/** Entry point for the other packages of this project. It exports documents and the underlying cell storage. */
export * from './document.ts';
export * from './storage.ts';
