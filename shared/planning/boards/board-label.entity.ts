import { defineEntity, reference } from '../../core/database/entity.js';

/** A label that the issues of a board have. */
export const BoardLabel = defineEntity({
  name: 'BoardLabel',
  tableName: 'board_labels',
  properties: {
    board_id: reference().primary(),
    label_id: reference().primary(),
  },
});
