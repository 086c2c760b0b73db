import { BASE, EPOCH, groupId } from './sizes.js';
import type { Part } from './sizes.js';

/** Half of the projects in groups lie in one group of fifty. */
const groupNumber = (groups: number) => `1 + case when pg_temp.pick(i, 21, 2) = 0
  then pg_temp.pick(i, 22, greatest(1, ${groups} / 50)) * 50 % ${groups} else pg_temp.pick(i, 23, ${groups}) end`;

const VISIBILITY = `case when n.visibility = 'private' or pg_temp.pick(i, 24, 100) < 45 then 'private'
  when n.visibility = 'internal' or pg_temp.pick(i, 24, 100) < 65 then 'internal' else 'public' end`;

const NAME = `initcap(pg_temp.adjective(i, 25)) || ' ' || initcap(pg_temp.noun(i, 26))`;

/**
 * Projects without repositories: the first write creates one. Every fourth is in a personal namespace; some are
 * archived or marked for deletion.
 */
export const projects: Part = {
  name: 'projects',
  statements: (sizes) => [
    // Who starred what, before the projects: these keep the count. Most stars are on few projects.
    `create temporary table seed_stars on commit drop as
     select distinct ${BASE} + 1 + pg_temp.pick(i, 31, ${sizes.users}) as user_id,
            ${BASE} + 1 + pg_temp.pick(i, 32, ${sizes.projects}) * pg_temp.pick(i, 33, ${sizes.projects}) / ${sizes.projects} as project_id
       from generate_series(1, ${sizes.stars}) i`,
    `insert into projects (id, namespace_id, creator_id, name, path, description, visibility, archived,
                           marked_for_deletion_at, star_count, last_activity_at, created_at, updated_at)
     select ${BASE} + i, n.id, coalesce(n.owner_id, ${BASE} + 1 + pg_temp.pick(i, 27, ${sizes.users})), ${NAME} || ' ' || i,
            pg_temp.adjective(i, 25) || '-' || pg_temp.noun(i, 26) || '-' || i,
            'Helps to ' || pg_temp.verb(i, 28) || ' every ' || pg_temp.noun(i, 29) || ' in a ' || pg_temp.adjective(i, 30) || ' way.',
            ${VISIBILITY}, i % 20 = 7, case when i % 100 = 33 then ${EPOCH} + interval '1000 days' + pg_temp.pick(i, 36, 30) * interval '1 day' end,
            coalesce(s.count, 0), made.at + pg_temp.pick(i, 34, 500) * interval '1 day', made.at, made.at + pg_temp.pick(i, 35, 400) * interval '1 day'
       from generate_series(1, ${sizes.projects}) i
       cross join lateral (select ${EPOCH} + i * interval '10 minutes' as at) made
       join namespaces n on n.id = case when i % 4 = 0 then ${BASE} + 1 + (i / 4 - 1) % ${sizes.users}
                                        else ${groupId(sizes, 0)} + ${groupNumber(sizes.groups)} end
       left join (select project_id, count(*) from seed_stars group by project_id) s on s.project_id = ${BASE} + i`,
    `insert into routes (project_id, path, name)
     select p.id, r.path || '/' || p.path, r.name || ' / ' || p.name
       from projects p join routes r on r.namespace_id = p.namespace_id where p.id > ${BASE}`,
    `insert into project_settings (project_id, pages_access_level)
     select p.id, case when p.visibility = 'private' then 'private' else 'enabled' end from projects p where p.id > ${BASE}`,
    `insert into project_statistics (project_id, repository_size, commit_count)
     select p.id, 0, 0 from projects p where p.id > ${BASE}`,
  ],
};

/** The stars that are counted in the projects already: counted by the database, each project would be written twice. */
export const stars: Part = {
  name: 'stars',
  statements: () => [
    'alter table project_stars disable trigger user',
    `insert into project_stars (project_id, user_id, created_at)
     select project_id, user_id, ${EPOCH} + interval '900 days' from seed_stars`,
    'alter table project_stars enable trigger user',
  ],
};

/** Draws a topic's number; low ones are drawn far more often. */
const getTopic = (salt: number, topics: number) =>
  `1 + pg_temp.pick(i, ${salt}, ${topics}) * pg_temp.pick(i, ${salt + 1}, ${topics}) / ${topics}`;

/** Topics, and up to three of them on every other project. */
export const topics: Part = {
  name: 'topics',
  statements: (sizes) => [
    `insert into topics (name, title, created_at, updated_at)
     select 'topic-' || i, 'Topic ' || i, ${EPOCH}, ${EPOCH} from generate_series(1, ${sizes.topics}) i`,
    `insert into project_topics (project_id, topic_id)
     select distinct ${BASE} + i, t.id
       from generate_series(2, ${sizes.projects}, 2) i
       cross join lateral (values (${getTopic(61, sizes.topics)}), (${getTopic(63, sizes.topics)}), (${getTopic(65, sizes.topics)})) drawn (number)
       join topics t on t.name = 'topic-' || drawn.number`,
  ],
};
