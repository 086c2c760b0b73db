import type { ProjectRecord } from '../projects/project.record.js';
import { anyOf } from '../../core/database/expressions.js';
import { readAll } from '../../core/database/list.js';
import { load } from '../../core/context/loads.js';
import { projectFacts } from './project-details.js';
import { onProjects, visibleProjects } from '../projects/project.finder.js';

/** What forks were forked from, as far as the caller may read it: two statements, none without forks. */
export const upstreams = load(
  (project: Readonly<ProjectRecord>) => project.forked_from_id,
  async (ctx, projects) => {
    const ids = [...new Set(projects.map((project) => project.forked_from_id).filter((id) => typeof id === 'number'))];
    if (ids.length === 0) return new Map<number, ProjectRecord>();
    const found = await readAll(ctx, visibleProjects(ctx, [onProjects('p.id', '=', anyOf(ids, 'bigint'))]));
    await projectFacts.fill(ctx, found);
    return new Map<number | null | undefined, ProjectRecord>(found.map((upstream) => [upstream.id, upstream]));
  },
);
