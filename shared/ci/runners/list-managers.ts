import { expressionBuilder } from 'kysely';
import { byId } from '../../core/database/list.js';
import type { List } from '../../core/database/list.js';
import type { CiDatabase } from '../ci.entities.js';
import type { Runner } from './runner.entity.js';
import { selectManagers } from './runner.finder.js';
import type { RunnerManagerRecord } from './runner.finder.js';

/** The managers of a runner, the newest first. */
export const listManagers = ({ id }: Pick<Runner, 'id'>): List<RunnerManagerRecord> => ({
  matching: expressionBuilder<CiDatabase>().selectFrom('runner_managers as m').where('m.runner_id', '=', id),
  select: selectManagers,
  order: [byId('m', 'desc')],
});
