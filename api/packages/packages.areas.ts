/* What the API serves of this domain, by area: a line for each file of routes. */
export { default as containerRegistry } from './container-registry/container-registry.rest.js';
export { default as packages } from './packages/packages.rest.js';
