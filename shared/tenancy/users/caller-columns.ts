import { columns, raw, sql } from '../../core/sql.js';
import type { Sql } from '../../core/sql.js';
import { User } from './user.entity.js';

const NAMES = ['id', 'username', 'name', 'state', 'admin', 'auditor', 'external', 'bot'];

/**
 * The columns of a `CallerUser`: of user `u`, left-joined with the personal namespace `n`. With a prefix such as
 * `user.` they become an object of their own.
 */
export function callerColumns(prefix = ''): Sql {
  return sql`${columns(User, 'u', prefix, NAMES)}, ${raw(`n.id as "${prefix}namespace_id"`)}`;
}
