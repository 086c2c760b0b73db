export { Runners } from './Runners.js';
