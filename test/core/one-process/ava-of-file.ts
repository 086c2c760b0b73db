import { testFile } from './test-file.js';

/* Replaces AVA in a test file that shares its process; the query contains the file's name (`run-files.ts`). */

export default testFile(new URL(import.meta.url).search.slice(1)).chain;
