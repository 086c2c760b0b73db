import { raw, sql, textColumns } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { User } from './user.entity.js';

const NAMES = ['id', 'username', 'name', 'state', 'admin', 'auditor', 'external', 'bot'];

/**
 * The columns of a `CallerUser`: of user `u`, left-joined with the personal namespace `n`. With a prefix such as
 * `user.` they become an object of their own.
 */
export function callerColumns(prefix = ''): Fragment {
  return sql`${textColumns(User, 'u', prefix, NAMES)}, ${raw(`n.id as "${prefix}namespace_id"`)}`;
}
