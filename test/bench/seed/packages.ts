import { PLANNING_PROJECT } from './planning.js';
import { putBack, setAside } from './set-aside.js';
import { BASE, EPOCH } from './sizes.js';
import type { Part } from './sizes.js';

/** Files of each version. */
const FILES = 10;
/** Versions of each package. */
const VERSIONS = 20;

/** The project with half of all packages. */
export const PACKAGE_PROJECT = PLANNING_PROJECT;

const FULL = ['packages', 'stored_objects', 'package_files'];

/** The key of a file's bytes, which are not there: two digits of an UUID, and the UUID. */
const key = `'package_files/' || left(k.uuid, 2) || '/' || k.uuid`;

/** Packages with their files, whose contents are missing in the store: half of them in one project. */
export const packages: Part = {
  name: 'packages',
  statements: ({ packageFiles, projects }) => [
    ...setAside(FULL),
    `insert into packages (id, project_id, name, version, package_type, status, creator_id, created_at, updated_at)
     select ${BASE} + i, case when i % 2 = 0 then ${PACKAGE_PROJECT} else ${BASE} + 1 + (i * 7) % ${projects} end,
            pg_temp.noun(i / ${VERSIONS}, 111) || '-' || i / ${VERSIONS}, '1.' || i % ${VERSIONS}, 'generic', 'default',
            null, made.at, made.at
       from generate_series(1, ${Math.max(1, Math.round(packageFiles / FILES))}) i
      cross join lateral (select ${EPOCH} + i * interval '5 hours' as at) made`,
    `insert into stored_objects (id, key, kind, bytes, sha256, created_at)
     select ${BASE} + n, ${key}, 'package_files', 1000 + pg_temp.pick(n, 112, 1000000), encode(sha256(n::text::bytea), 'hex'), ${EPOCH}
       from generate_series(1, ${packageFiles}) n
      cross join lateral (select md5('package file ' || n)::uuid::text as uuid) k`,
    `insert into package_files (project_id, package_id, object_id, file_name, size, file_sha256, created_at, updated_at)
     select k.project_id, k.id, o.id, 'part-' || n % ${FILES} || '.tar.gz', o.bytes, o.sha256, k.created_at, k.created_at
       from generate_series(1, ${packageFiles}) n
       join packages k on k.id = ${BASE} + 1 + (n - 1) / ${FILES} join stored_objects o on o.id = ${BASE} + n`,
    `update project_statistics s set packages_size = c.bytes
       from (select f.project_id, sum(f.size)::bigint as bytes from package_files f group by f.project_id) c
      where s.project_id = c.project_id`,
    ...putBack(FULL),
  ],
};
