import { movePositions } from '../../../shared/notes/notes.jobs.js';
import { movePositionsOf } from '../../../shared/notes/positions/move-positions.js';
import { handler } from '../../core/handler.js';

/** Has the diff notes of a merge request follow its newest version. */
export const moveNotePositions = handler({
  kind: movePositions,
  batchSize: 1,
  handle: (ctx, { merge_request_id: id, user_id: userId }) => movePositionsOf(ctx, id, userId),
});
