import type { Kysely } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { load } from '../../core/context/loads.js';
import { out, serializer } from '../../core/operations/serializer.js';
import type { OutField } from '../../core/operations/serializer.js';
import { constant, unnested } from '../../core/database/expressions.js';
import type { Placeholders } from '../../core/database/prepared.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import type { DeployKey } from './deploy-key.entity.js';
import type { ProjectDeployKey } from './deploy-key.finder.js';

/** Fields of a key common to all its records in the public API. */
const keyFields: Record<string, OutField<DeployKey>> = {
  id: out.integer((key) => key.id),
  title: out.text((key) => key.title),
  created_at: out.instant((key) => key.created_at),
  expires_at: out.nullableInstant((key) => key.expires_at ?? null),
  key: out.text((key) => key.key, {
    description:
      'Public key of the deploy key. Nothing connects with the key yet: git is served over HTTP, not over SSH.',
  }),
  fingerprint: out.text((key) => key.fingerprint, { description: 'MD5 fingerprint of the key.' }),
  fingerprint_sha256: out.text((key) => key.fingerprint_sha256, {
    description: 'SHA-256 fingerprint of the key; the key is one record in all projects that have it.',
  }),
};

/** A key as a project has it. */
export const deployKeySerializer = serializer<ProjectDeployKey>('DeployKey', {
  ...keyFields,
  can_push: out.boolean((key) => key.can_push, {
    description: 'Indicates the deploy key can also push to the repository of the project.',
  }),
});

/** Maximum number of a key's projects to list, oldest links first. */
const MAX_PROJECTS = 1000;

interface LinkedProject {
  id: number;
  description: string | null;
  name: string;
  full_name: string;
  path: string;
  full_path: string;
  created_at: Date;
  deploy_key_id: number;
  can_push: boolean;
}

const findProjects = prepareQuery(
  (db: Kysely<RepositoriesDatabase>, { ids }: Placeholders<{ ids: readonly number[] }>) =>
    db
      .selectFrom(unnested(ids, 'bigint').as('requested'))
      .crossJoinLateral((eb) =>
        eb
          .selectFrom('deploy_keys_projects as d')
          .select(['d.id', 'd.deploy_key_id', 'd.project_id', 'd.can_push'])
          .whereRef('d.deploy_key_id', '=', 'requested.value')
          .orderBy('d.id')
          .limit(constant(MAX_PROJECTS))
          .as('l'),
      )
      .innerJoin('projects as p', 'p.id', 'l.project_id')
      .innerJoin('routes as r', 'r.project_id', 'p.id')
      .select([
        'p.id',
        'p.description',
        'p.name',
        'r.name as full_name',
        'p.path',
        'r.path as full_path',
        'p.created_at',
        'l.deploy_key_id',
        'l.can_push',
      ])
      .orderBy('l.id'),
);

const projects = load(
  ({ id }: Readonly<DeployKey>) => id,
  async (ctx, keys) => {
    const ids = keys.map(({ id }) => id);
    const rows: LinkedProject[] = await findProjects(ctx, { ids });
    return Map.groupBy(rows, (row) => row.deploy_key_id);
  },
);

const linkedProject = serializer<LinkedProject>('ProjectIdentity', {
  id: out.integer((project) => project.id),
  description: out.nullableText((project) => project.description),
  name: out.text((project) => project.name),
  name_with_namespace: out.text((project) => project.full_name),
  path: out.text((project) => project.path),
  path_with_namespace: out.text((project) => project.full_path),
  created_at: out.instant((project) => project.created_at),
});

const linked = (canPush: boolean) => (key: DeployKey, ctx: Context) =>
  (projects.of(key, ctx) ?? []).filter((project) => project.can_push === canPush);

const many = `Of the first ${MAX_PROJECTS} projects that have it`;

/** A key as administrators see it, with the projects that have it. */
export const instanceDeployKeySerializer = serializer<DeployKey>(
  'InstanceDeployKey',
  {
    ...keyFields,
    projects_with_write_access: out.records(linkedProject, linked(true), {
      description: `${many} those that it may push to.`,
    }),
    projects_with_readonly_access: out.records(linkedProject, linked(false), {
      description: `${many} those that it only reads.`,
    }),
  },
  { loads: [projects] },
);
