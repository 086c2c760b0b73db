/* What the API serves of this domain, by area: a line for each file of routes that is an area by itself. */
export { default as approvals } from './approvals/approvals.rest.js';
export { default as mergeRequests } from './merge-requests/merge-requests.rest.js';
export { default as merging } from './merging/merging.rest.js';
