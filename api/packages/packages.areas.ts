/* Routes of this domain by area: one line per route file. */
export { default as containerRegistry } from './container-registry/container-registry.rest.js';
export { default as packages } from './packages/packages.rest.js';
