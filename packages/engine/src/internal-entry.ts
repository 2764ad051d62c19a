/** Entry point for the other packages of this project. It exports documents and the underlying cell storage. */
export * from './document-entry.ts';
export * from './internal-storage-entry.ts';
