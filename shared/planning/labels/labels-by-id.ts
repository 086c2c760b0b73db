import type { Context } from '../../core/context/context.js';
import { anyOf } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { PlanningDatabase } from '../planning.entities.js';

interface LabelsOfProject {
  readonly ids: readonly number[];
  readonly project_id: number;
  readonly namespace_ids: readonly number[];
}

const findTitles = prepareQuery<PlanningDatabase, LabelsOfProject, { title: string }>(
  (db, { ids, project_id: projectId, namespace_ids: namespaceIds }) =>
    db
      .selectFrom('labels as l')
      .select('l.title')
      .where('l.id', '=', anyOf(ids, 'bigint'))
      .where((eb) =>
        eb.or([eb('l.project_id', '=', projectId), eb('l.namespace_id', '=', anyOf(namespaceIds, 'bigint'))]),
      )
      .orderBy('l.id'),
);

/** The titles of those labels of a project and of the groups above it that have these ids; other ids name none. */
export async function labelTitlesById(
  ctx: Context,
  { id, namespace }: Pick<ProjectRecord, 'id' | 'namespace'>,
  ids: readonly number[],
): Promise<string[]> {
  const labels = await findTitles(ctx, { ids, project_id: id, namespace_ids: namespace.traversal_ids });
  return labels.map(({ title }) => title);
}
