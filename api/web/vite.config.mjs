import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

import { pages } from './pages.mjs';
import { plainPages } from './plain-pages.mjs';

const outDir = path.resolve(import.meta.dirname, '../../dist/api/web');

const plain = plainPages(import.meta.dirname);

/** Below this, compressing costs more than it saves. */
const MIN_BYTES = 1024;

/** Above this, compressing as well as can be takes seconds for a few hundredths less. */
const LARGE_BYTES = 512 * 1024;

/** So many parts of the pages use a module that all may load it with the first. Measured: fewer or more load more bytes. */
const SHARED_BY = 12;

/** Writes the two compressed forms of a file beside it. */
async function writeCompressed(file) {
  const bytes = await readFile(file);
  if (bytes.length < MIN_BYTES) return;
  const quality = bytes.length > LARGE_BYTES ? 9 : 11;
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
  await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }));
  await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, { params }));
}

/** Tells the server which paths show a page, and packs what is sent compressed once, instead of at each request. */
function forTheServer() {
  return {
    name: 'capstan:for-the-server',
    generateBundle: {
      // The document is among the files then.
      order: 'post',
      handler(_options, bundle) {
        const { document, problem } = plain.written(String(bundle['index.html'].source));
        bundle['index.html'].source = document;
        bundle['graphql-explorer.html'].source = plain.filled(String(bundle['graphql-explorer.html'].source));
        this.emitFile({ type: 'asset', fileName: 'problem.html', source: problem });
        this.emitFile({ type: 'asset', fileName: 'pages.json', source: JSON.stringify(pages) });
      },
    },
    async closeBundle() {
      const entries = await readdir(outDir, { recursive: true, withFileTypes: true });
      const files = entries.filter(({ name }) => /\.(js|css|html|svg|ttf)$/.test(name));
      // Side by side: zlib has threads of its own.
      await Promise.all(files.map(({ parentPath, name }) => writeCompressed(path.join(parentPath, name))));
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
    // The explorer is a document of its own: its policy is not that of the other pages.
    rolldownOptions: {
      input: ['index.html', 'graphql-explorer.html'].map((name) => path.join(import.meta.dirname, name)),
      // What most pages share is one file: forty small ones are packed worse, by a tenth of what a page loads.
      output: {
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
