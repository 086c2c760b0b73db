export { Activity, activityPageIn } from './Activity.js';
