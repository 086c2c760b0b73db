export { RefOf, StatusOf } from './labels.js';
