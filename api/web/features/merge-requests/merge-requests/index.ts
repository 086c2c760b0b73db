export { RequestState } from './request-columns.js';
