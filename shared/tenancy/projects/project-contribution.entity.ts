import { defineEntity, id, p, relation, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Project } from './project.entity.js';

/** That somebody pushed to a project, on which day (UTC) the last time. */
export const ProjectContribution = defineEntity({
  name: 'ProjectContribution',
  tableName: 'project_contributions',
  properties: {
    id: id(),
    project_id: relation(Project),
    user_id: reference(),
    contributed_on: p.string().columnType('date'),
  },
});
export type ProjectContribution = InferEntity<typeof ProjectContribution>;
