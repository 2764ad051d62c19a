/** esbuild plugin: third-party packages stay external; the project's own packages, which are TypeScript, are bundled. */
export const externalPackagesPlugin = {
  name: 'packages-outside',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ kind, path }) =>
      kind === 'entry-point' || path.startsWith('@sheaf/') ? undefined : { path, external: true },
    );
  },
};
