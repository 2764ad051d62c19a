/** For esbuild: packages of others stay outside of the bundle; ours, which are TypeScript, become part of it. */
export const packagesOutside = {
  name: 'packages-outside',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ kind, path }) =>
      kind === 'entry-point' || path.startsWith('@sheaf/') ? undefined : { path, external: true },
    );
  },
};
