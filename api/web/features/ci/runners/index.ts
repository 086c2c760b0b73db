export { BuiltInRunnerNote, isBuiltIn } from './BuiltInRunnerNote.js';
export { Runners } from './Runners.js';
