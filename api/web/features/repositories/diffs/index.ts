export { FileDiffs } from './FileDiffs.js';
export { fileKey, formatLine, isOfFile, lineKey } from './line-threads.js';
export type { DiffThreads } from './line-threads.js';
export { getLines as linesOf } from './lines.js';
export type { DiffLine } from './lines.js';
