import { integer } from '../../core/operations/fields.js';

/** Names the board in a path. */
export const boardParam = { board_id: integer().describe('Id of the board.') };
