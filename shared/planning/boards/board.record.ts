import type { Container } from '../../tenancy/containers/container.js';
import type { UserSummary } from '../../tenancy/users/user.record.js';
import type { Label } from '../labels/label.entity.js';
import type { Board, BoardList } from './board.entity.js';

/** A board with the project or group that it belongs to. */
export interface BoardRecord extends Board {
  container: Container;
  assignee: UserSummary | null;
}

/** A list with what it is of; `position` counts from 0 among those that there are. */
export interface BoardListRecord extends BoardList {
  label: Label | null;
  assignee: UserSummary | null;
}
