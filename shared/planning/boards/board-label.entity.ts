import { defineEntity, relation } from '../../core/database/entity.js';
import { Board } from './board.entity.js';
import { Label } from '../labels/label.entity.js';

/** A label that the issues of a board have. */
export const BoardLabel = defineEntity({
  name: 'BoardLabel',
  tableName: 'board_labels',
  properties: {
    board_id: relation(Board).primary(),
    label_id: relation(Label).primary(),
  },
});
