import { EPOCH } from './sizes.js';
import type { Part } from './sizes.js';

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
