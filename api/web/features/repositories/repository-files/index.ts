export { AtRef, WhereInTree } from './AtRef.js';
export type { RefLocation, RefPathParams } from './AtRef.js';
export { FileContent } from './FileContent.js';
export { MARKDOWN, isPictureName, getText as textOf } from './content.js';
export { pictureFrom, getRaw as rawOf } from './raw.js';
export { branchNamesQuery } from './queries.js';
