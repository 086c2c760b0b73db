/* Routes of this domain by area: one line per route file. */
export {
  commitCommentRoutes as commitComments,
  discussionRoutes as discussions,
  eventRoutes as events,
  noteAwardRoutes as noteAwards,
  noteRoutes as notes,
  suggestionRoutes as suggestions,
  toDoRoutes as toDos,
} from './notes.rest.js';
