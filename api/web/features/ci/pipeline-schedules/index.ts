export { formatRef } from './labels.js';
