import { readdirSync, readFileSync } from 'node:fs';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { settingEntries } from '../../../shared/tenancy/namespaces/declared-settings.js';
import type { Declared } from '../../../shared/tenancy/namespaces/declared-settings.js';
import { generalSettings } from '../../../shared/tenancy/projects/declared-general.js';
import { mergeSettings } from '../../../shared/tenancy/projects/declared-merging.js';
import { pipelineSettings } from '../../../shared/tenancy/projects/declared-pipelines.js';
import { declaredSettings } from '../../../shared/tenancy/projects/declared-settings.js';
import {
  projectWithPermissions,
  statisticsSerializer,
} from '../../../shared/tenancy/project-details/project.serializer.js';
import {
  CONSTANT_FIELDS,
  CONSTANT_STATISTICS,
} from '../../../shared/tenancy/project-details/project-settings.serializer.js';
import { useApp } from '../../core/app.js';
import { otherValue } from '../containers/other-value.js';

const app = useApp(test);

/** A parameter, a non-default value, and the expected fields of the record. */
type Change = [param: string, value: unknown, result?: Record<string, unknown>];

const level = (feature: string, field = `${feature}_enabled`): Change => [
  `${feature}_access_level`,
  'disabled',
  { [`${feature}_access_level`]: 'disabled', ...(field ? { [field]: false } : {}) },
];

const CHANGES: Change[] = [
  ['name', 'Renamed'],
  ['path', 'renamed'],
  [
    'description',
    'New *words*',
    { description: 'New *words*', description_html: '<p dir="auto">New <em>words</em></p>' },
  ],
  ['visibility', 'public'],
  ['topics', ['b', 'a'], { topics: ['a', 'b'], tag_list: ['a', 'b'] }],
  ['tag_list', 'one, two', { topics: ['one', 'two'] }],
  level('issues'),
  level('merge_requests'),
  level('wiki'),
  level('snippets'),
  level('builds', 'jobs_enabled'),
  level('container_registry'),
  level('security_and_compliance'),
  level('requirements'),
  level('package_registry', 'packages_enabled'),
  ...['forking', 'pages', 'analytics', 'releases', 'environments', 'feature_flags', 'infrastructure', 'monitor'].map(
    (feature) => level(feature, ''),
  ),
  level('model_experiments', ''),
  level('model_registry', ''),
  ['pages_access_level', 'public'],
  ['package_registry_access_level', 'public'],
  ['issues_enabled', false, { issues_access_level: 'disabled' }],
  ['merge_requests_enabled', false, { merge_requests_access_level: 'disabled', can_create_merge_request_in: false }],
  ['wiki_enabled', false, { wiki_access_level: 'disabled' }],
  ['jobs_enabled', false, { builds_access_level: 'disabled' }],
  ['builds_enabled', false, { jobs_enabled: false }],
  ['snippets_enabled', false, { snippets_access_level: 'disabled' }],
  ['container_registry_enabled', false, { container_registry_access_level: 'disabled' }],
  ['packages_enabled', false, { package_registry_access_level: 'disabled' }],
  ['security_and_compliance_enabled', false, { security_and_compliance_access_level: 'disabled' }],
  ['requirements_enabled', false, { requirements_access_level: 'disabled' }],
  ['emails_enabled', false, { emails_enabled: false, emails_disabled: true }],
  ['emails_disabled', true, { emails_enabled: false, emails_disabled: true }],
  ['public_builds', false, { public_jobs: false }],
  ['ci_pipeline_variables_minimum_override_role', 'owner'],
  [
    'restrict_user_defined_variables',
    true,
    { ci_pipeline_variables_minimum_override_role: 'maintainer', restrict_user_defined_variables: true },
  ],
  ['import_url', 'https://me:hidden@example.com/a.git', { import_url: 'https://example.com/a.git' }],
];

/** Fields of the record that something else than a setting changes, and the test that shows it. */
const ELSEWHERE: Record<string, string> = {
  id: 'the identity of each project is its own',
  name_with_namespace: 'a rename changes every name, path and URL of a project',
  path_with_namespace: 'a rename changes every name, path and URL of a project',
  ssh_url_to_repo: 'a rename changes every name, path and URL of a project',
  http_url_to_repo: 'a rename changes every name, path and URL of a project',
  web_url: 'a rename changes every name, path and URL of a project',
  container_registry_image_prefix: 'a rename changes every name, path and URL of a project',
  _links: 'links name only what the caller may see',
  namespace: 'the namespace of a record is that of its person or group, with its picture',
  owner: 'the owner of a personal project is told, of one in a group not',
  creator_id: 'an administrator creates a project for somebody else',
  created_at: 'times of a record follow the clock: created, edited, pushed to',
  updated_at: 'times of a record follow the clock: created, edited, pushed to',
  last_activity_at: 'times of a record follow the clock: created, edited, pushed to',
  default_branch: 'the default branch becomes another one that there is, in the record and in git',
  empty_repo: 'times of a record follow the clock: created, edited, pushed to',
  avatar_url: 'a picture is uploaded, counted, served, and removed by an empty text',
  star_count: 'a star is counted',
  open_issues_count: 'a hundred issues made at once have a hundred numbers',
  repository_access_level:
    'closing the repository closes merge requests and CI/CD with it, or is refused [unverified key]',
  readme_url: 'a push changes statistics, README and licence once the job has run',
  license_url: 'a push changes statistics, README and licence once the job has run',
  license: 'a push changes statistics, README and licence once the job has run',
  statistics: 'a push changes statistics, README and licence once the job has run',
  forks_count: 'a fork is answered at once and gets every branch and tag by a job',
  forked_from_project: 'a fork is answered at once and gets every branch and tag by a job',
  mr_default_target_self: 'a fork is answered at once and gets every branch and tag by a job',
  import_status: 'a project is imported from a URL by a job: every branch and tag, and the default branch',
  import_type: 'a project is imported from a URL by a job: every branch and tag, and the default branch',
  import_error: 'a branch that is not there is 404, one that goes meanwhile makes the fork fail and say so',
  archived: 'archiving and deletion show in the record',
  marked_for_deletion_at: 'archiving and deletion show in the record',
  marked_for_deletion_on: 'archiving and deletion show in the record',
  shared_with_groups: 'groups that a project is shared with are told',
  runners_token: 'the runner token is a secret of its own for each project, for Maintainers, and can be reset',
  container_expiration_policy: 'the policy for images is edited by parts and dated anew',
  mirror: 'a mirror follows the repository at its URL: all at first, then new branches, tags and commits',
  mirror_user_id: 'mirror settings are stored with who answers for them',
  mirror_trigger_builds: 'updates start pipelines where that is chosen, but for the first one',
  only_mirror_protected_branches: 'only protected branches are followed where that is chosen',
  mirror_overwrites_diverged_branches:
    'a branch that went another way here stays, unless diverged branches are overwritten',
  custom_attributes: 'custom attributes are shown to administrators who ask for them',
  permissions:
    'permissions tell the direct role and the highest one in the groups above, in lists only that of the group itself',
};

/** Another value of each declared setting that the table does not name, nor another test. */
function declaredChanges(declared: Declared): Change[] {
  const tested = new Set(CHANGES.map(([param]) => param));
  return settingEntries(declared)
    .filter(([name, { options }]) => !tested.has(name) && !(name in ELSEWHERE) && options.visibleTo !== 'nobody')
    .map(([name, one]) => [name, otherValue(name, one)]);
}

const EVERY_CHANGE = [...CHANGES, ...declaredChanges(declaredSettings)];

const expected = ([param, value, result]: Change): Record<string, unknown> => result ?? { [param]: value };

/**
 * Edits a separate project for each change, one at a time, and compares the record before the edit, in its response and
 * afterwards.
 */
async function showChanges(t: ExecutionContext, changes: readonly Change[]): Promise<void> {
  const user = await app.build.user();
  const caller = app.as(user);
  for (const change of changes) {
    const [param, value] = change;
    const project = await app.build.project({ owner: user, empty: true });
    const before = await caller.get(`/projects/${project.id}`);
    const edited = await caller.put(`/projects/${project.id}`, { [param]: value });
    t.is(edited.status, 200, `${param}: ${edited.text}`);
    const after = await caller.get(`/projects/${project.id}`);
    for (const [field, expectedValue] of Object.entries(expected(change))) {
      t.deepEqual(after.body[field], expectedValue, `${param}: ${field}`);
      t.deepEqual(edited.body[field], expectedValue, `${param}: ${field}`);
      t.notDeepEqual(before.body[field], expectedValue, `${param}: ${field} was so before`);
    }
  }
}

/** Settings from one of the table above up to another. */
const between = (first: string, end?: string) => {
  const at = (name: string) => CHANGES.findIndex(([param]) => param === name);
  return CHANGES.slice(at(first), end === undefined ? undefined : at(end));
};

// Contract: interface-2.10.identity, interface-2.10.levels
test('editing stores and shows name, path, description, visibility, topics and every level of a feature', (t) =>
  showChanges(t, between('name', 'issues_enabled')));

// Contract: interface-2.10.misc, interface-2.10.switches
test('editing stores and shows every switch, also the older ones', (t) =>
  showChanges(t, [...between('issues_enabled', 'public_builds'), ...declaredChanges(generalSettings)]));

// Contract: interface-2.10.merge, interface-2.10.templates
test('editing stores and shows every setting of merging and every template', (t) =>
  showChanges(t, declaredChanges(mergeSettings)));

// Contract: interface-2.10.ci
test('editing stores and shows every setting of CI/CD', (t) =>
  showChanges(t, [...between('public_builds'), ...declaredChanges(pipelineSettings)]));

/** The source of every test of projects, forks, imports, mirrors and issues, with titles where their tests begin. */
const sources = () =>
  [
    'test/tenancy/projects',
    'test/repositories/project-forks',
    'test/repositories/project-imports',
    'test/repositories/project-mirrors',
    'test/planning/issues',
  ].flatMap((folder) =>
    readdirSync(folder).map((name) => readFileSync(`${folder}/${name}`, 'utf8').replaceAll(/\(\s+'/g, "('")),
  );

// Contract: interface-2.10.every-field
test('the tests that fields of the record are left to are there, and speak of them', (t) => {
  const all = sources().flatMap((source) => source.split(/^(?=[\w.]+\(')/m));
  const speaks = (title: string, field: string) =>
    all.some((one) => /^[\w.]+\('/.test(one) && one.split('\n', 1)[0]?.includes(`('${title}'`) && one.includes(field));
  t.deepEqual(
    Object.entries(ELSEWHERE).filter(([field, title]) => !speaks(title, field)),
    [],
  );
});

// Contract: interface-2.10.every-field
test('every field of the record is changed by a setting, by something that another test names, or is a named constant', (t) => {
  const changed = new Set(EVERY_CHANGE.flatMap((change) => Object.keys(expected(change))));
  const fields = Object.keys(projectWithPermissions.fields);
  const unexplained = fields.filter(
    (field) => !changed.has(field) && !(field in ELSEWHERE) && !(field in CONSTANT_FIELDS),
  );
  t.deepEqual(unexplained, []);
  t.deepEqual(
    [...Object.keys(ELSEWHERE), ...Object.keys(CONSTANT_FIELDS)].filter((field) => !fields.includes(field)),
    [],
  );
});

// Contract: core-5.create.settings
test('a project is created with every setting that editing takes', async (t) => {
  const user = await app.build.user();
  const own = new Set(['name', 'path', 'visibility', 'tag_list']);
  const settings = new Set(settingEntries(declaredSettings).map(([name]) => name));
  const isOlder = (param: string) => param in declaredSettings && !settings.has(param);
  const sent = EVERY_CHANGE.filter(([param]) => !own.has(param) && !isOlder(param));
  const { status, body, text } = await app
    .as(user)
    .post('/projects', { name: 'All', ...Object.fromEntries(sent.map(([param, value]) => [param, value])) });
  t.is(status, 201, text);
  for (const change of sent) {
    // A feature occurs twice above: the last value counts.
    if (sent.findLast(([param]) => param === change[0]) !== change) continue;
    for (const [field, expectedValue] of Object.entries(expected(change)))
      t.deepEqual(body[field], expectedValue, field);
  }
});

// Contract: core-5.create.settings, interface-2.10.delivery
test('a new project has the defaults of the public API', async (t) => {
  const user = await app.build.user();
  const { body } = await app.as(user).post('/projects', { name: 'Plain' });
  t.like(body, {
    merge_method: 'merge',
    squash_option: 'default_off',
    ci_default_git_depth: 20,
    build_timeout: 3600,
    public_jobs: true,
    auto_cancel_pending_pipelines: 'enabled',
    build_git_strategy: 'fetch',
    auto_devops_deploy_strategy: 'continuous',
    autoclose_referenced_issues: true,
    lfs_enabled: false,
    remove_source_branch_after_merge: true,
    only_allow_merge_if_pipeline_succeeds: false,
    request_access_enabled: true,
    shared_runners_enabled: true,
    import_status: 'none',
    issues_access_level: 'enabled',
    pages_access_level: 'private',
    security_and_compliance_access_level: 'private',
  });
  t.deepEqual(body.container_expiration_policy, {
    cadence: '1d',
    enabled: false,
    keep_n: 10,
    older_than: '90d',
    name_regex: '.*',
    name_regex_delete: '.*',
    name_regex_keep: null,
    next_run_at: '2030-01-02T00:00:00.000Z',
  });
  const open = await app.as(user).post('/projects', { name: 'Open', visibility: 'public' });
  t.is(open.body.pages_access_level, 'enabled');
});

/** Rejected settings with the expected messages. */
const INVALID_SETTINGS: [params: Record<string, unknown>, body: unknown][] = [
  [{ build_timeout: 10 }, { message: { build_timeout: ['needs to be between 10 minutes and 1 month'] } }],
  [{ build_timeout: 'soon' }, { error: 'build_timeout is invalid' }],
  [{ ci_default_git_depth: 1001 }, { message: { ci_default_git_depth: ['must be less than or equal to 1000'] } }],
  [
    { ci_config_path: '/etc' },
    { message: { ci_config_path: ['cannot include leading slash or directory traversal.'] } },
  ],
  [
    { ci_config_path: 'a/../b' },
    { message: { ci_config_path: ['cannot include leading slash or directory traversal.'] } },
  ],
  [{ merge_method: 'octopus' }, { error: 'merge_method does not have a valid value' }],
  [{ issues_access_level: 'public' }, { error: 'issues_access_level does not have a valid value' }],
  [{ lfs_enabled: 'perhaps' }, { error: 'lfs_enabled is invalid' }],
  [{ visibility: 'secret' }, { error: 'visibility does not have a valid value' }],
  [{ description: 'a'.repeat(2001) }, { message: { description: ['is too long (maximum is 2000 characters)'] } }],
  [
    { merge_commit_template: 'a'.repeat(501) },
    { message: { merge_commit_template: ['is too long (maximum is 500 characters)'] } },
  ],
  [{ approvals_before_merge: -1 }, { message: { approvals_before_merge: ['must be greater than or equal to 0'] } }],
  [{ max_artifacts_size: 0 }, { message: { max_artifacts_size: ['must be greater than or equal to 1'] } }],
  [{ topics: ['a'.repeat(256)] }, { message: { topics: ['is too long (maximum is 255 characters)'] } }],
  [
    { ci_id_token_sub_claim_components: ['ref'] },
    { message: { ci_id_token_sub_claim_components: ['project_path must be first'] } },
  ],
  [
    { container_expiration_policy_attributes: { keep_n: 3 } },
    { message: { 'container_expiration_policy.keep_n': ['is not included in the list'] } },
  ],
  [
    { container_expiration_policy_attributes: { cadence: '2d' } },
    { error: 'container_expiration_policy_attributes[cadence] does not have a valid value' },
  ],
  [
    { container_expiration_policy_attributes: { enabled: true, name_regex: '' } },
    { message: { 'container_expiration_policy.name_regex': ["can't be blank"] } },
  ],
  [
    { container_expiration_policy_attributes: { name_regex_keep: '(' } },
    { message: { 'container_expiration_policy.name_regex_keep': ['not valid RE2 syntax'] } },
  ],
  [
    { container_expiration_policy_attributes: { name_regex_keep: '(?=a)' } },
    { message: { 'container_expiration_policy.name_regex_keep': ['not valid RE2 syntax'] } },
  ],
  [
    { name: '-', path: 'a.git' },
    {
      message: {
        name: [
          "can contain only letters, digits, emoji, '_', '.', '+', dashes, or spaces. It must start with a letter, digit, emoji, or '_'.",
        ],
        path: [
          "can only include non-accented letters, digits, '_', '-' and '.'. It must not start with '-', end in '.', '.git' or '.atom'.",
        ],
      },
    },
  ],
];

// Contract: core-5.update
test('bad values of settings are told by the field, when editing and when creating, and change nothing [unverified texts of ranges]', async (t) => {
  const project = await app.build.project({ empty: true });
  const caller = app.as(project.owner);
  const before = await caller.get(`/projects/${project.id}`);
  for (const [params, body] of INVALID_SETTINGS) {
    const edited = await caller.put(`/projects/${project.id}`, params);
    t.is(edited.status, 400, JSON.stringify(params));
    t.deepEqual(edited.body, body);
    const created = await caller.post('/projects', { name: 'Other', ...params });
    t.is(created.status, 400, JSON.stringify(params));
    t.deepEqual(created.body, body);
  }
  t.deepEqual((await caller.get(`/projects/${project.id}`)).body, before.body);
});

// Contract: interface-2.10.sharing
test('only administrators say where a repository lies, and there is one place', async (t) => {
  const project = await app.build.project({ empty: true });
  const admin = app.as(await app.build.admin());
  const same = await admin.put(`/projects/${project.id}`, { repository_storage: 'default' });
  t.like(same, { status: 200, body: { repository_storage: 'default' } });
  const other = await admin.put(`/projects/${project.id}`, { repository_storage: 'nvme' });
  t.is(other.status, 400);
  t.deepEqual(other.body, { message: { repository_storage: ['is not included in the list'] } });
  t.is((await app.as(project.owner).put(`/projects/${project.id}`, { repository_storage: 'nvme' })).status, 200);
});

// Contract: core-5.update
test('an edit without any parameter names them all', async (t) => {
  const project = await app.build.project({ empty: true });
  const { status, body } = await app.as(project.owner).put(`/projects/${project.id}`, { unknown: 1 });
  t.is(status, 400);
  t.regex(body.error, /^name, path, default_branch, .*, at least one parameter must be provided$/);
});

// Contract: interface-2.10.levels
test('closing the repository closes merge requests and CI/CD with it, or is refused [unverified key]', async (t) => {
  const project = await app.build.project({ empty: true });
  const caller = app.as(project.owner);
  const alone = await caller.put(`/projects/${project.id}`, { repository_access_level: 'private' });
  t.is(alone.status, 400);
  const text = ['cannot have higher visibility level than repository access level'];
  t.deepEqual(alone.body, {
    message: { 'project_feature.merge_requests_access_level': text, 'project_feature.builds_access_level': text },
  });
  const together = await caller.put(`/projects/${project.id}`, {
    repository_access_level: 'private',
    merge_requests_access_level: 'private',
    builds_access_level: 'disabled',
  });
  t.is(together.status, 200);
  t.is(together.body.repository_access_level, 'private');
});

// Contract: interface-2.10.levels
test('a level beside an older switch wins', async (t) => {
  const project = await app.build.project({ empty: true });
  const { body } = await app
    .as(project.owner)
    .put(`/projects/${project.id}`, { issues_enabled: false, issues_access_level: 'private' });
  t.is(body.issues_access_level, 'private');
});

// Contract: interface-2.10.delivery
test('the policy for images is edited by parts and dated anew', async (t) => {
  const project = await app.build.project({ empty: true });
  const { body } = await app.as(project.owner).put(`/projects/${project.id}`, {
    container_expiration_policy_attributes: { enabled: true, cadence: '7d', name_regex_delete: '^old', keep_n: null },
  });
  t.deepEqual(body.container_expiration_policy, {
    cadence: '7d',
    enabled: true,
    keep_n: null,
    older_than: '90d',
    name_regex: '^old',
    name_regex_delete: '^old',
    name_regex_keep: null,
    next_run_at: '2030-01-08T00:00:00.000Z',
  });
});

// Contract: interface-2.10.mirror
test('mirror settings are stored with who answers for them', async (t) => {
  const project = await app.build.project({ empty: true });
  const admin = await app.build.admin();
  const sent = {
    mirror: true,
    import_url: 'https://example.com/a.git',
    mirror_trigger_builds: true,
    only_mirror_protected_branches: true,
    mirror_overwrites_diverged_branches: true,
    mirror_user_id: admin.id,
  };
  const { body } = await app.as(project.owner).put(`/projects/${project.id}`, sent);
  t.like(body, { ...sent, mirror_user_id: project.owner.id });
  const edited = await app.as(admin).put(`/projects/${project.id}`, { mirror_user_id: admin.id });
  t.is(edited.body.mirror_user_id, admin.id);
  const developer = await app.build.member(project, 'developer');
  const answer = await app.as(developer).get(`/projects/${project.id}`);
  t.false('mirror_user_id' in answer.body || 'import_url' in answer.body);
  t.true(answer.body.mirror);
});

test('the identity of each project is its own', async (t) => {
  const user = await app.build.user();
  const [one, other] = [await app.build.project({ owner: user }), await app.build.project({ owner: user })];
  const getId = async (path: string) => (await app.as(user).get(`/projects/${encodeURIComponent(path)}`)).body.id;
  t.is(await getId(one.full_path), one.id);
  t.is(await getId(other.full_path), other.id);
  t.not(one.id, other.id);
});

// Contract: interface-2.10.every-field
test('every statistic is kept true by a job or its own writes, or is a constant with its reason', (t) => {
  const stored = [
    'commit_count',
    'container_registry_size',
    'packages_size',
    'repository_size',
    'snippets_size',
    'storage_size',
    'uploads_size',
    'wiki_size',
  ];
  const explained = [...stored, ...Object.keys(CONSTANT_STATISTICS)];
  t.deepEqual(Object.keys(statisticsSerializer.fields).toSorted(), explained.toSorted());
});
