import { MoveRepairer } from '../../../shared/repositories/housekeeping/repair-moves.js';
import { getRepositoryPath } from '../../../shared/repositories/repositories/write-refs.js';
import { sql } from 'kysely';
import type { TestApp } from '../../core/app.js';
import { plainGit } from '../../git/git-fixture.js';

/** Branches and tags of a project as the index has them: a line for each, as git prints them. */
export async function indexOf(app: TestApp, project: { id: number }): Promise<string> {
  const rows = await app.context().query<{ line: string }>(sql`
    select r.object_sha || ' ' || r.full_name as "line" from repository_refs r
     where r.project_id = ${project.id} order by r.full_name collate "C"`);
  return rows.map(({ line }) => `${line}\n`).join('');
}

/** The same as git has them. */
export function getGit(app: TestApp, project: { id: number }): string {
  const format = '--format=%(objectname) %(refname)';
  return plainGit(getRepositoryPath(app.context(), project), ['for-each-ref', format, 'refs/heads', 'refs/tags']);
}

/** Polls as often as a worker does within ten seconds. @returns ids of the repaired projects */
export async function repairMoves(app: TestApp): Promise<number[]> {
  const repairer = new MoveRepairer(app.services);
  const repaired: number[] = [];
  for (let poll = 0; poll < 4; poll += 1) repaired.push(...(await repairer.poll()));
  return repaired;
}
