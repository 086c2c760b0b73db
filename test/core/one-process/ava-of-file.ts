import { testFile } from './test-file.js';

/* Stands in for AVA in a test file that shares its process; the query names the file (`run-files.ts`). */

export default testFile(new URL(import.meta.url).search.slice(1)).chain;
