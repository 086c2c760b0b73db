import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

import react from '@vitejs/plugin-react';
import { defineConfig, runnerImport } from 'vite';

import { plainPages } from './plain-pages.mjs';

const outDir = path.resolve(import.meta.dirname, '../../dist/api/web');

const plain = plainPages(import.meta.dirname);

/** Below this, compressing costs more than it saves. */
const MIN_BYTES = 1024;

/** Above this, compressing as well as can be takes seconds for a few hundredths less. */
const LARGE_BYTES = 512 * 1024;

/** So many parts of the pages use a module that all may load it with the first. Measured: fewer or more load more bytes. */
const SHARED_BY = 30;

/** Addresses of the pages as the service matches them, the most specific first: what the router of the pages does. */
async function pagePatterns() {
  const options = { root: import.meta.dirname, configFile: false, logLevel: 'error' };
  const { routes } = (await runnerImport('./routes.ts', options)).module;
  const { withPatterns } = (await runnerImport('./app/routing/path-pattern.ts', options)).module;
  return withPatterns(routes).map(({ route, pattern }) => ({ path: route.path, pattern }));
}

/** Passes the page paths to the server, and compresses the bundle once instead of for each request. */
function forTheServer() {
  return {
    name: 'capstan:for-the-server',
    generateBundle: {
      // The document is among the files then.
      order: 'post',
      async handler(_options, bundle) {
        const { document, problem } = plain.written(String(bundle['index.html'].source));
        bundle['index.html'].source = document;
        bundle['graphql-explorer.html'].source = plain.filled(String(bundle['graphql-explorer.html'].source));
        this.emitFile({ type: 'asset', fileName: 'problem.html', source: problem });
        this.emitFile({ type: 'asset', fileName: 'pages.json', source: JSON.stringify(await pagePatterns()) });
      },
    },
    closeBundle() {
      for (const entry of readdirSync(outDir, { recursive: true, withFileTypes: true })) {
        if (!/\.(js|css|html|svg|ttf)$/.test(entry.name)) continue;
        const file = path.join(entry.parentPath, entry.name);
        const bytes = readFileSync(file);
        if (bytes.length < MIN_BYTES) continue;
        writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
        const quality = bytes.length > LARGE_BYTES ? 9 : 11;
        writeFileSync(
          `${file}.br`,
          brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
        );
      }
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  base: '/-/web/',
  css: { modules: { getJSON: plain.keepClasses } },
  plugins: [react(), forTheServer()],
  build: {
    outDir,
    // The explorer is a separate document, because its content security policy differs from that of the other pages.
    rolldownOptions: {
      input: ['index.html', 'graphql-explorer.html'].map((name) => path.join(import.meta.dirname, name)),
      // Code that most pages share is one file: forty small files compress worse, by a tenth of what a page loads.
      output: {
        // The first view lists the files of all pages: only those have names.
        chunkFileNames: ({ isDynamicEntry }) => `assets/${isDynamicEntry ? '[name]-' : ''}[hash].js`,
        codeSplitting: {
          groups: [{ name: 'shared', test: /api\/web\/|lucide-react|openapi-fetch/, minShareCount: SHARED_BY }],
        },
      },
      // The explorer's packages speak to a compiler that is not used here.
      onwarn: (warning, warn) => warning.code === 'MODULE_LEVEL_DIRECTIVE' || warn(warning),
    },
    // The explorer's editor, which is loaded with it alone.
    chunkSizeWarningLimit: 3000,
    emptyOutDir: true,
    target: 'es2022',
    // A data: URL would need a wider policy than 'self'.
    assetsInlineLimit: 0,
    // The policy lets no inline script run, and every browser that knows modules knows preloading.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
