export { ProtectedBranches } from './ProtectedBranches.js';
export { ProtectedTags } from './ProtectedTags.js';
