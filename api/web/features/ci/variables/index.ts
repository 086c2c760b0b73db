export { Variables } from './Variables.js';
