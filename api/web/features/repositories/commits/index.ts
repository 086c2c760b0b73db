export { commitColumns } from './commit-columns.js';
