export { ApplicationList, isAdding } from './ApplicationList.js';
export type { Application, ApplicationSource, NewApplication } from './application-source.js';
