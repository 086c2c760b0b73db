/* What the API serves of this domain, by area: a line for each file of routes that is an area by itself. */
export { default as commitComments } from './commit-comments/commit-comments.rest.js';
export { default as discussions } from './discussions/discussions.rest.js';
export { default as events } from './events/events.rest.js';
export { default as noteAwards } from './note-awards/note-awards.rest.js';
export { default as notes } from './notes/notes.rest.js';
export { default as suggestions } from './suggestions/suggestions.rest.js';
export { default as toDos } from './to-dos/to-dos.rest.js';
