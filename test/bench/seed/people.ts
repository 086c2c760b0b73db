import { BASE, EPOCH } from './sizes.js';
import type { Part } from './sizes.js';

/** Users with profile and personal namespace. One of a hundred is blocked, one of fifty external. */
export const people: Part = {
  name: 'users',
  statements: ({ users }) => [
    `insert into users (id, username, name, email, state, external, created_at, updated_at)
     select ${BASE} + i, pg_temp.adjective(i, 1) || '.' || pg_temp.noun(i, 2) || i,
            initcap(pg_temp.adjective(i, 1)) || ' ' || initcap(pg_temp.noun(i, 2)), 'user' || i || '@bench.example',
            case when i % 100 = 99 then 'blocked' else 'active' end, i % 50 = 49,
            ${EPOCH} + i * interval '31 minutes', ${EPOCH} + i * interval '31 minutes'
       from generate_series(1, ${users}) i`,
    `insert into user_profiles (user_id) select u.id from users u where u.id > ${BASE}`,
    `insert into namespaces (id, kind, name, path, visibility, traversal_ids, owner_id, created_at, updated_at)
     select u.id, 'user', u.name, u.username, 'public', array[u.id], u.id, u.created_at, u.created_at
       from users u where u.id > ${BASE}`,
    `insert into routes (namespace_id, path, name)
     select n.id, n.path, n.name from namespaces n where n.kind = 'user' and n.id > ${BASE}`,
  ],
};
