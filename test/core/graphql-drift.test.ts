import { isObjectType } from 'graphql';
import test from 'ava';
import { loadGraphql } from '../../api/graphql.js';
import type { Shape } from '../../shared/core/shape.js';
import { scheduleDetails, scheduleVariable } from '../../shared/ci/pipeline-schedules/pipeline-schedule.shape.js';
import { fullPipeline } from '../../shared/ci/pipelines/pipeline.shape.js';
import { NEW_SETTINGS } from '../../shared/tenancy/project-settings/new-settings.js';
import { groupShape } from '../../shared/tenancy/groups/group.shape.js';
import { fullProject } from '../../shared/tenancy/projects/project.shape.js';
import { currentUserShape } from '../../shared/tenancy/users/user.shape.js';

/** A type, the shape that says the same in REST, and where they differ on purpose. */
interface Pair {
  type: string;
  // Each shape is of another record; only its keys matter here.
  shape: Shape<never>;
  /** Key of the shape to field of the type, where it is not just spelled differently. */
  renamed?: Record<string, string>;
  /** Not in GraphQL, on purpose or not yet. */
  restOnly?: string[];
  /** Not in REST. */
  graphqlOnly?: string[];
}

const PAIRS: Pair[] = [
  {
    type: 'CurrentUser',
    shape: currentUserShape as Shape<never>,
    restOnly: [
      'locked',
      'linkedin',
      'skype',
      'twitter',
      'discord',
      'website_url',
      'github',
      'work_information',
      'followers',
      'following',
      'is_followed',
      'local_time',
      'last_sign_in_at',
      'confirmed_at',
      'email',
      'theme_id',
      'color_scheme_id',
      'projects_limit',
      'current_sign_in_at',
      'identities',
      'can_create_group',
      'can_create_project',
      'two_factor_enabled',
      'external',
      'private_profile',
      'commit_email',
      'preferred_language',
      'namespace_id',
      'is_admin',
      'note',
      'created_by',
      'using_license_seat',
    ],
    graphqlOnly: [
      'namespace',
      'groupMemberships',
      'projectMemberships',
      'starredProjects',
      'userPermissions',
      'webPath',
      'status',
      'groupCount',
      'customAttributes',
    ],
  },
  {
    type: 'Project',
    shape: fullProject as Shape<never>,
    renamed: {
      path_with_namespace: 'fullPath',
      name_with_namespace: 'nameWithNamespace',
      ssh_url_to_repo: 'sshUrlToRepo',
      http_url_to_repo: 'httpUrlToRepo',
      forked_from_project: 'forkedFrom',
    },
    restOnly: [
      // In `repository`.
      'default_branch',
      'empty_repo',
      // Deprecated in GraphQL.
      'tag_list',
      '_links',
      'creator_id',
      'marked_for_deletion_at',
      'readme_url',
      'license_url',
      'license',
      'container_registry_image_prefix',
      'import_status',
      'owner',
      'repository_object_format',
      'service_desk_address',
      'repository_storage',
      'shared_with_groups',
      // Settings are for REST.
      'packages_enabled',
      'security_and_compliance_enabled',
      'can_create_merge_request_in',
      'requirements_enabled',
      'emails_disabled',
      'public_jobs',
      'ci_pipeline_variables_minimum_override_role',
      'restrict_user_defined_variables',
      'import_url',
      'import_type',
      'import_error',
      'runners_token',
      ...Object.keys(NEW_SETTINGS).filter(
        (name) =>
          name in fullProject.fields &&
          !name.endsWith('_access_level') &&
          !['lfs_enabled', 'request_access_enabled'].includes(name),
      ),
    ],
    graphqlOnly: [
      'group',
      'repository',
      'userPermissions',
      'pipeline',
      'pipelineCounts',
      'pipelines',
      'pipelineSchedules',
      'branchRules',
      'isForked',
      'languages',
    ],
  },
  {
    type: 'Group',
    shape: groupShape as Shape<never>,
    renamed: { parent_id: 'parent' },
    restOnly: [
      'share_with_group_lock',
      'require_two_factor_authentication',
      'two_factor_grace_period',
      'project_creation_level',
      'auto_devops_enabled',
      'subgroup_creation_level',
      'emails_disabled',
      'emails_enabled',
      'mentions_disabled',
      'lfs_enabled',
      'default_branch',
      'default_branch_protection',
      'default_branch_protection_defaults',
      'organization_id',
      'shared_runners_setting',
      'max_artifacts_size',
      'statistics',
    ],
    graphqlOnly: ['descriptionHtml', 'projects', 'descendantGroups', 'groupMembers', 'userPermissions', 'updatedAt'],
  },
  {
    type: 'Pipeline',
    shape: fullPipeline as Shape<never>,
    renamed: { project_id: 'project', web_url: 'path' },
    restOnly: ['name', 'before_sha', 'committed_at', 'coverage', 'archived', 'detailed_status', 'tag'],
    graphqlOnly: ['refPath', 'active', 'complete', 'cancelable', 'retryable', 'yamlErrorMessages', 'warnings'],
  },
  {
    type: 'PipelineSchedule',
    shape: scheduleDetails as Shape<never>,
    restOnly: [],
    graphqlOnly: ['refForDisplay', 'refPath', 'forTag', 'realNextRun', 'project', 'editPath', 'userPermissions'],
  },
  {
    type: 'PipelineScheduleVariable',
    shape: scheduleVariable as Shape<never>,
    graphqlOnly: ['id'],
  },
];

const camelCase = (key: string) => key.replace(/(?<=.)_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Everything that one side has and the other lacks, and everything listed as a difference that is none. */
function drift(pair: Pair, fields: ReadonlySet<string>): string[] {
  const { type, shape, renamed = {}, restOnly = [], graphqlOnly = [] } = pair;
  const problems: string[] = [];
  const matched = new Set<string>();
  for (const key of Object.keys(shape.fields)) {
    const field = renamed[key] ?? camelCase(key);
    matched.add(field);
    if (fields.has(field) && restOnly.includes(key)) problems.push(`${type}.${field} is no longer only in REST`);
    if (!fields.has(field) && !restOnly.includes(key))
      problems.push(`${type} lacks ${field}, which ${shape.name} has as ${key}`);
  }
  for (const field of fields)
    if (!matched.has(field) && !graphqlOnly.includes(field)) problems.push(`${shape.name} lacks ${type}.${field}`);
  for (const field of graphqlOnly)
    if (matched.has(field) || !fields.has(field))
      problems.push(`${type}.${field} is listed as only in GraphQL and is not`);
  for (const key of [...restOnly, ...Object.keys(renamed)])
    if (!(key in shape.fields)) problems.push(`${shape.name}.${key} is listed and does not exist`);
  return problems;
}

// Contract: graphql-8.2
test('each type has what its shape has, but for differences on purpose', async (t) => {
  const { schema } = await loadGraphql();
  for (const pair of PAIRS) {
    const type = schema.getType(pair.type);
    if (!isObjectType(type)) {
      t.fail(`There is no type ${pair.type}.`);
      continue;
    }
    // What is deprecated stays for its time and needs no counterpart.
    const fields = Object.values(type.getFields()).filter((field) => !field.deprecationReason);
    const keys = new Set(fields.map((field) => field.name));
    t.deepEqual(drift(pair, keys), []);
  }
});
