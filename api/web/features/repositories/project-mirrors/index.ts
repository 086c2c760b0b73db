export { ProjectMirror } from './ProjectMirror.js';
