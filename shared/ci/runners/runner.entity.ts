import { defineEntity, id, p, relation, timestamp } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Namespace } from '../../tenancy/namespaces/namespace.entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import { User } from '../../tenancy/users/user.entity.js';

/** What a runner serves: every project, those of a group and below it, or those that it is assigned to. */
export type RunnerType = 'instance_type' | 'group_type' | 'project_type';

/** A registered runner: a configuration with one token, which any number of runner managers use. */
export const Runner = defineEntity({
  name: 'Runner',
  tableName: 'runners',
  properties: {
    id: id(),
    runner_type: p.string().$type<RunnerType>(),
    /** The group of a `group_type` runner. */
    namespace_id: relation(Namespace).nullable(),
    creator_id: relation(User).nullable(),
    /** HMAC of the authentication token. */
    token_digest: p.uint8array(),
    token_expires_at: timestamp().nullable(),
    /** `authenticated_user` or `registration_token`. */
    registered_with: p.string(),
    /** The service's own runner on this machine. */
    built_in: p.boolean(),
    description: p.string().nullable(),
    paused: p.boolean(),
    /** A `project_type` runner is assigned to no further project. */
    locked: p.boolean(),
    run_untagged: p.boolean(),
    /** `not_protected`, or `ref_protected` for jobs of protected refs alone. */
    access_level: p.string(),
    /** Seconds that a job may run. */
    maximum_timeout: p.integer().nullable(),
    maintenance_note: p.string().nullable(),
    tag_list: p.array().columnType('text[]'),
    contacted_at: timestamp().nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type Runner = InferEntity<typeof Runner>;

/** What a runner's program can do, by the names that it declares. */
export type RunnerFeatures = Record<string, boolean>;

/** One running program of a runner, by the `system_id` of its configuration. */
export const RunnerManager = defineEntity({
  name: 'RunnerManager',
  tableName: 'runner_managers',
  properties: {
    id: id(),
    runner_id: relation(Runner),
    system_id: p.string(),
    version: p.string().nullable(),
    revision: p.string().nullable(),
    platform: p.string().nullable(),
    architecture: p.string().nullable(),
    executor: p.string().nullable(),
    ip_address: p.string().nullable(),
    features: p.json<RunnerFeatures>(),
    contacted_at: timestamp().nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type RunnerManager = InferEntity<typeof RunnerManager>;

/** A project that a `project_type` runner is assigned to; the oldest is its owner. */
export const RunnerProject = defineEntity({
  name: 'RunnerProject',
  tableName: 'runner_projects',
  properties: {
    id: id(),
    runner_id: relation(Runner),
    project_id: relation(Project),
    created_at: timestamp(),
  },
});
export type RunnerProject = InferEntity<typeof RunnerProject>;
