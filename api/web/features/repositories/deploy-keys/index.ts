export { DeployKeys } from './DeployKeys.js';
