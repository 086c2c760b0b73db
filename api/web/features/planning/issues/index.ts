export { ISSUES, hasLabelDetails } from './queries.js';
