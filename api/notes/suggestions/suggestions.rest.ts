import { applySuggestion, applySuggestionsTogether } from '../../../shared/notes/suggestions/suggestion.operations.js';
import { suggestionShape as present } from '../../../shared/notes/notes/suggestion.shape.js';
import { put, routes } from '../../core/routes.js';

export default routes('/suggestions', [
  put('/batch_apply', applySuggestionsTogether, { present, paginate: 'none' }),
  put('/:id/apply', applySuggestion, { present }),
]);
