export { AtRef, WhereInTree } from './AtRef.js';
export type { RefLocation, RefPathParams } from './AtRef.js';
export { FileContent } from './FileContent.js';
export { MARKDOWN, isPictureName, textOf } from './content.js';
export { pictureFrom, rawOf } from './raw.js';
export { branchNamesQuery } from './queries.js';
