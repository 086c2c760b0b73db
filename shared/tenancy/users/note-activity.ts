import { prepareStatement } from '../../core/database/prepared.js';
import type { Statement } from '../../core/database/driver/statement.js';
import type { TenancyDatabase } from '../tenancy.entities.js';

const note = prepareStatement<TenancyDatabase, { id: number; day: string }>((db, { id, day }) =>
  db
    .updateTable('users')
    .set({ last_activity_on: day })
    .where('id', '=', id)
    .where('last_activity_on', 'is distinct from', day),
);

/** Writes that a user did something on this day, UTC; once a day is enough. */
export const noteActivity = (id: number, at: Date): Statement => note({ id, day: at.toISOString().slice(0, 10) });
