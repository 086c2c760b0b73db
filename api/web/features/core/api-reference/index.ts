export { ReferenceTabs } from './ReferenceTabs.js';
