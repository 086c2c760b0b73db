export { AllSettings } from './AllSettings.js';
export { ContainerSettings } from './ContainerSettings.js';
export type { Values } from './values.js';
