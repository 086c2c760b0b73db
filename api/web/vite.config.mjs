import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

import { pages } from './pages.mjs';
import { plainPages } from './plain-pages.mjs';

const outDir = path.resolve(import.meta.dirname, '../../dist/api/web');

const plain = plainPages(import.meta.dirname);

/** Below this, compressing costs more than it saves. */
const MIN_BYTES = 1024;

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
        this.emitFile({ type: 'asset', fileName: 'problem.html', source: problem });
        this.emitFile({ type: 'asset', fileName: 'pages.json', source: JSON.stringify(pages) });
      },
    },
    closeBundle() {
      for (const entry of readdirSync(outDir, { recursive: true, withFileTypes: true })) {
        if (!/\.(js|css|html|svg)$/.test(entry.name)) continue;
        const file = path.join(entry.parentPath, entry.name);
        const bytes = readFileSync(file);
        if (bytes.length < MIN_BYTES) continue;
        writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
        writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
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
    emptyOutDir: true,
    target: 'es2022',
    // A data: URL would need a wider policy than 'self'.
    assetsInlineLimit: 0,
    // The policy lets no inline script run, and every browser that knows modules knows preloading.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
