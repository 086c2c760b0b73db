import { sql } from 'kysely';
import { columns, nestedOrNull } from '../../core/database/columns.js';
import { User } from './user.entity.js';

const NAMES = ['id', 'username', 'name', 'state', 'admin', 'auditor', 'external', 'bot'] as const;

const NAMESPACE_ID = sql.ref<number | null>('n.id');

/** The columns of a `CallerUser`: of user `u`, left-joined with the personal namespace `n`. */
export const callerSelection = () => [...columns(User, 'u', NAMES), NAMESPACE_ID.as('namespace_id')] as const;

/** The same as an object of its own, `user`; null where there is no user. */
export const callerAsUser = () =>
  nestedOrNull('user', User, 'u', { only: NAMES, more: { namespace_id: NAMESPACE_ID } });
