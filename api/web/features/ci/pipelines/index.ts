export { PipelineRef as RefOf, PipelineStatus as StatusOf } from './labels.js';
export { RuleList } from './RuleList.js';
