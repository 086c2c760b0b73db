import { BASE, EPOCH } from './sizes.js';
import type { Part } from './sizes.js';

/** Stars, most of them on few projects. The database counts them. */
export const stars: Part = {
  name: 'stars',
  statements: (sizes) => [
    `insert into project_stars (project_id, user_id, created_at)
     select distinct
            ${BASE} + 1 + pg_temp.pick(i, 32, ${sizes.projects}) * pg_temp.pick(i, 33, ${sizes.projects}) / ${sizes.projects},
            ${BASE} + 1 + pg_temp.pick(i, 31, ${sizes.users}), ${EPOCH} + interval '900 days'
       from generate_series(1, ${sizes.stars}) i`,
  ],
};
