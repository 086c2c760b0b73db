export { RefField, useRefs } from './RefField.js';
