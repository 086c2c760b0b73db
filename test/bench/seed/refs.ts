import { projectId } from './sizes.js';
import type { Part } from './sizes.js';

const BRANCHES = 5_000;
const TAGS = 10_000;

/** Every how manyth project has them: those lie far apart in the table. */
const STEP = 400;

const refs = (sizes: { refProjects: number }, kind: 'branch' | 'tag', count: number, name: string) => `
  insert into repository_refs (project_id, kind, full_name, name, object_sha, target_sha, git_date, dated_sha,
                               created_at, updated_at)
  select made.project_id, '${kind}', '${kind === 'branch' ? 'refs/heads/' : 'refs/tags/'}' || made.name, made.name,
         made.sha, made.sha, 1767225600 + pg_temp.pick(made.number, 61, 94608000), made.sha, now(), now()
    from (select ${projectId(1)} + n * ${STEP} as project_id, n * ${count} + i as number, ${name} as name,
                 md5('${kind}' || n || ' ' || i) || substr(md5('rest' || n || ' ' || i), 1, 8) as sha
            from generate_series(0, ${sizes.refProjects - 1}) n, generate_series(1, ${count}) i) made`;

/**
 * The index of refs of projects with 5,000 branches and 10,000 tags each: no repository lies behind it, so what reads
 * commits too finds none.
 */
export const refsOfProjects: Part = {
  name: 'branches and tags',
  statements: (sizes) => [
    refs(sizes, 'branch', BRANCHES, `'feature/' || pg_temp.verb(i, 62) || '-' || pg_temp.noun(i, 63) || '-' || i`),
    refs(sizes, 'tag', TAGS, `'v' || i / 100 || '.' || i / 10 % 10 || '.' || i % 10`),
  ],
};
