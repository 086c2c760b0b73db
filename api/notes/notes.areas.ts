/* What the API serves of this domain, by area: a line for each file of routes. */
export {
  commitCommentRoutes as commitComments,
  discussionRoutes as discussions,
  eventRoutes as events,
  noteAwardRoutes as noteAwards,
  noteRoutes as notes,
  suggestionRoutes as suggestions,
  toDoRoutes as toDos,
} from './notes.rest.js';
