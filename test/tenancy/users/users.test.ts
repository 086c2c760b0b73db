import test from 'ava';
import { sql } from 'kysely';
import { unique } from '../../core/builders.js';
import { useApp } from '../../core/app.js';
import { queryOne } from '../../core/query-one.js';

const app = useApp(test);

const person = () => {
  const number = unique();
  return {
    email: `new${number}@example.com`,
    name: `New ${number}`,
    username: `new${number}`,
    force_random_password: true,
  };
};

const SUMMARY = ['id', 'username', 'public_email', 'name', 'state', 'locked', 'avatar_url', 'web_url'];
const PROFILE = [
  'created_at',
  'bio',
  'location',
  'skype',
  'linkedin',
  'twitter',
  'discord',
  'website_url',
  'github',
  'organization',
  'job_title',
  'pronouns',
  'bot',
  'work_information',
  'followers',
  'following',
  'is_followed',
  'local_time',
];
const DETAILS = [
  'last_sign_in_at',
  'confirmed_at',
  'last_activity_on',
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
];
const ADMINISTRATOR = ['is_admin', 'is_auditor', 'note', 'allow_possible_spam', 'created_by', 'using_license_seat'];

// Contract: core-1.create
test('an administrator creates a user with every field that may be set', async (t) => {
  const admin = await app.build.admin();
  const attributes = person();
  const fields = {
    admin: true,
    can_create_group: false,
    projects_limit: 3,
    private_profile: true,
    bio: 'About',
    location: 'Here',
    organization: 'Example',
    job_title: 'Engineer',
    note: 'Hired',
    website_url: 'https://example.com/',
    linkedin: 'l',
    twitter: 't',
    discord: 'd',
    github: 'g',
    pronouns: 'they',
    theme_id: 2,
    color_scheme_id: 4,
    public_email: attributes.email,
    commit_email: attributes.email,
  };
  const { status, body } = await app.as(admin).post('/users', { ...attributes, ...fields });
  t.is(status, 201);
  const { admin: isAdmin, ...rest } = fields;
  t.like(body, {
    ...rest,
    is_admin: isAdmin,
    email: attributes.email,
    name: attributes.name,
    username: attributes.username,
  });
  t.is(body.state, 'active');
  t.is(body.work_information, 'Engineer at Example');
  t.is(body.created_by.id, admin.id);
  t.is(body.web_url, `http://capstan.test/${attributes.username}`);
});

// Contract: core-1.namespace
test('creating a user makes the personal namespace of kind user', async (t) => {
  const admin = await app.build.admin();
  const { body } = await app.as(admin).post('/users', person());
  const [namespace] = await app
    .context()
    .query<{ kind: string; owner_id: number; path: string }>(
      sql`select n.kind, n.owner_id, r.path from namespaces n join routes r on r.namespace_id = n.id where n.id = ${body.namespace_id}`,
    );
  t.deepEqual(namespace, { kind: 'user', owner_id: body.id, path: body.username });
});

// Contract: core-1.create.password
test('a password is stored as a slow hash only', async (t) => {
  const admin = await app.build.admin();
  const { force_random_password: _, ...attributes } = person();
  const { status, body, text } = await app
    .as(admin)
    .post('/users', { ...attributes, password: 'correct horse battery' });
  t.is(status, 201);
  t.false(text.includes('correct horse'));
  const row = await queryOne<{ password_digest: string }>(
    app.context(),
    sql`select password_digest from users where id = ${body.id}`,
  );
  t.true(await app.services.passwords.verify('correct horse battery', row?.password_digest ?? ''));
});

// Contract: core-1.create
test('only administrators create users', async (t) => {
  const user = await app.build.user();
  t.like(await app.as(user).post('/users', person()), { status: 403, body: { message: '403 Forbidden' } });
  t.like(await app.anonymous.post('/users', person()), { status: 401, body: { message: '401 Unauthorized' } });
});

// Contract: core-1.create.required
test('a new user needs address, name, username and one of the three ways to a password', async (t) => {
  const admin = await app.build.admin();
  t.deepEqual((await app.as(admin).post('/users', {})).body, {
    error:
      'email is missing, name is missing, username is missing, ' +
      'password, reset_password, force_random_password are missing, at least one parameter must be provided',
  });
  const { force_random_password: _, ...attributes } = person();
  t.deepEqual((await app.as(admin).post('/users', attributes)).body, {
    error: 'password, reset_password, force_random_password are missing, at least one parameter must be provided',
  });
});

// Contract: core-1.create.required
test('of the ways to a password one must be chosen', async (t) => {
  const admin = await app.build.admin();
  const answer = await app.as(admin).post('/users', { ...person(), force_random_password: false });
  t.is(answer.status, 400);
  t.deepEqual(answer.body, { message: { password: ["can't be blank"] } });
});

// Contract: core-1.create.taken
test('a taken address is 409, whatever its case', async (t) => {
  const admin = await app.build.admin();
  const answer = await app.as(admin).post('/users', { ...person(), email: admin.username + '@EXAMPLE.com' });
  t.is(answer.status, 409);
  t.deepEqual(answer.body, { message: 'Email has already been taken' });
});

// Contract: core-1.create.taken
test('a taken username is 409, whatever its case', async (t) => {
  const admin = await app.build.admin();
  const answer = await app.as(admin).post('/users', { ...person(), username: admin.username.toUpperCase() });
  t.is(answer.status, 409);
  t.deepEqual(answer.body, { message: 'Username has already been taken' });
});

// Contract: core-1.create.taken
test('of two requests for one username at the same time one is 201 and the other 409', async (t) => {
  const admin = await app.build.admin();
  const { username } = person();
  const answers = await Promise.all([1, 2, 3].map(() => app.as(admin).post('/users', { ...person(), username })));
  t.deepEqual(answers.map((answer) => answer.status).sort(), [201, 409, 409]);
});

// Contract: core-1.create.model
test('bad values of a user are told by field', async (t) => {
  const admin = await app.build.admin();
  const answer = await app.as(admin).post('/users', {
    email: 'nowhere',
    name: ' ',
    username: '-bad',
    password: 'short',
    website_url: 'javascript:alert(1)',
    public_email: 'other@example.com',
    bio: 'x'.repeat(256),
    projects_limit: -1,
  });
  t.is(answer.status, 400);
  t.deepEqual(answer.body, {
    message: {
      email: ['is invalid'],
      name: ["can't be blank"],
      username: [
        "can only include non-accented letters, digits, '_', '-' and '.'. It must not start with '-', end in '.', '.git' or '.atom'.",
      ],
      password: ['is too short (minimum is 8 characters)'],
      public_email: ['is not an email you own'],
      bio: ['is too long (maximum is 255 characters)'],
      website_url: ['is not a valid URL'],
      projects_limit: ['must be greater than or equal to 0'],
    },
  });
});

test('a password that everybody tries first is refused, whatever its case', async (t) => {
  const [admin, user] = [await app.build.admin(), await app.build.user()];
  const rejection = { message: { password: ['must not contain commonly used combinations of words and letters'] } };
  for (const password of ['password', 'PassWord1', '12345678', 'iloveyou1']) {
    const { force_random_password: _, ...attributes } = person();
    const response = await app.as(admin).post('/users', { ...attributes, password });
    t.deepEqual([response.status, response.body], [400, rejection], password);
    const edited = await app.as(admin).put(`/users/${user.id}`, { password });
    t.deepEqual([edited.status, edited.body], [400, rejection], password);
  }
});

// Contract: core-1.username
test('usernames have 2 to 255 letters, digits and _ - . and no reserved word or odd ending', async (t) => {
  const admin = await app.build.admin();
  for (const username of [
    'a',
    'x'.repeat(256),
    'ends.',
    'ends.git',
    'ends.ATOM',
    '-starts',
    'sp ace',
    'ümlaut',
    'api',
    'Admin',
    'а-cyrillic',
  ]) {
    const answer = await app.as(admin).post('/users', { ...person(), username });
    t.is(answer.status, 400, username);
    t.truthy(answer.body.message.username, username);
  }
  for (const username of ['_under', '.dot', 'a-b.c_d', `${'y'.repeat(250)}${unique()}`])
    t.is((await app.as(admin).post('/users', { ...person(), username })).status, 201, username);
});

// Contract: core-1.external
test('an external user has no project limit left and makes no groups', async (t) => {
  const admin = await app.build.admin();
  const response = await app.as(admin).post('/users', { ...person(), external: true, projects_limit: 10 });
  t.like(response.body, { external: true, projects_limit: 0, can_create_group: false, can_create_project: false });
  const inside = await app.as(admin).put(`/users/${response.body.id}`, { external: false });
  t.like(inside.body, { external: false, projects_limit: 100_000, can_create_group: true, can_create_project: true });
});

// Contract: core-1.administrator
test('an administrator sees every field of another user, administrative ones too', async (t) => {
  const admin = await app.build.admin();
  const user = await app.build.user();
  const { body } = await app.as(admin).get(`/users/${user.id}`);
  t.deepEqual(Object.keys(body).sort(), [...SUMMARY, ...PROFILE, ...DETAILS, ...ADMINISTRATOR].sort());
  t.is(body.is_admin, false);
});

// Contract: core-1.details, core-1.get-user
test("a user sees their own details, without the administrator's fields", async (t) => {
  const user = await app.build.user();
  const own = [...SUMMARY, ...PROFILE, ...DETAILS].sort();
  t.deepEqual(Object.keys((await app.as(user).get('/user')).body).sort(), own);
  t.deepEqual(Object.keys((await app.as(user).get(`/users/${user.id}`)).body).sort(), own);
});

// Contract: core-1.get-user
test('is_admin appears in GET /user only for administrators', async (t) => {
  const [user, admin] = await Promise.all([app.build.user(), app.build.admin()]);
  t.false('is_admin' in (await app.as(user).get('/user')).body);
  t.is((await app.as(admin).get('/user')).body.is_admin, true);
});

// Contract: core-1.get, core-1.profile
test('others see the public profile of a user', async (t) => {
  const [user, other] = await Promise.all([app.build.user(), app.build.user()]);
  const { status, body } = await app.as(other).get(`/users/${user.id}`);
  t.is(status, 200);
  t.deepEqual(Object.keys(body).sort(), [...SUMMARY, ...PROFILE].sort());
});

// Contract: core-1.summary
test('others see only the summary of a private profile', async (t) => {
  const [user, other, admin] = await Promise.all([app.build.user(), app.build.user(), app.build.admin()]);
  await app.as(admin).put(`/users/${user.id}`, { private_profile: true });
  t.deepEqual(Object.keys((await app.as(other).get(`/users/${user.id}`)).body).sort(), [...SUMMARY].sort());
  t.is((await app.as(user).get(`/users/${user.id}`)).body.private_profile, true);
});

// Contract: core-1.get
test('a missing user is 404 User Not Found, and anonymous callers are 403', async (t) => {
  const user = await app.build.user();
  const missing = await app.as(user).get('/users/99999999');
  t.is(missing.status, 404);
  t.deepEqual(missing.body, { message: '404 User Not Found' });
  const anonymous = await app.anonymous.get(`/users/${user.id}`);
  t.is(anonymous.status, 403);
  t.deepEqual(anonymous.body, { message: '403 Forbidden - Not authorized!' });
  t.is((await app.anonymous.get('/users/99999999')).status, 403);
  t.deepEqual((await app.as(user).get('/users/1abc')).body, { error: 'id is invalid' });
});

// Contract: core-1.scopes
test('read_user suffices for reading users, not for changing them', async (t) => {
  const admin = await app.build.token(await app.build.admin(), { scopes: ['read_user'] });
  t.is((await app.as(admin).get(`/users/${admin.id}`)).status, 200);
  t.is((await app.as(admin).get('/users?username=root')).status, 200);
  const answer = await app.as(admin).post('/users', person());
  t.is(answer.status, 403);
  t.like(answer.body, { error: 'insufficient_scope', scope: 'api' });
});

// Contract: core-1.update
test('an administrator edits a user, and only what is sent changes', async (t) => {
  const [user, admin] = await Promise.all([app.build.user(), app.build.admin()]);
  await app.as(admin).put(`/users/${user.id}`, { bio: 'First', note: 'Kept', location: 'There' });
  const { status, body } = await app
    .as(admin)
    .put(`/users/${user.id}`, { bio: '', name: 'Renamed', projects_limit: 1 });
  t.is(status, 200);
  t.like(body, {
    bio: '',
    note: 'Kept',
    location: 'There',
    name: 'Renamed',
    projects_limit: 1,
    username: user.username,
  });
});

// Contract: core-1.update
test('editing is refused to others, 404 for a missing user and 409 for taken names', async (t) => {
  const [user, other, admin] = await Promise.all([app.build.user(), app.build.user(), app.build.admin()]);
  t.is((await app.as(user).put(`/users/${user.id}`, { bio: 'x' })).status, 403);
  t.is((await app.as(admin).put('/users/99999999', { bio: 'x' })).status, 404);
  const email = await app.as(admin).put(`/users/${user.id}`, { email: `${other.username}@example.com` });
  t.like(email, { status: 409, body: { message: 'Email has already been taken' } });
  const username = await app.as(admin).put(`/users/${user.id}`, { username: other.username });
  t.like(username, { status: 409, body: { message: 'Username has already been taken' } });
  t.is(
    (await app.as(admin).put(`/users/${user.id}`, { username: user.username, email: `${user.username}@example.com` }))
      .status,
    200,
  );
});

// Contract: core-1.update.username
test('another username moves the projects of the personal namespace', async (t) => {
  const admin = await app.build.admin();
  const project = await app.build.project({ empty: true });
  const username = `renamed${unique()}`;
  await app.as(admin).put(`/users/${project.owner.id}`, { username, name: 'Re Named' });
  const { body } = await app.as(project.owner).get(`/projects/${encodeURIComponent(`${username}/${project.path}`)}`);
  t.is(body.id, project.id);
  t.is(body.name_with_namespace, `Re Named / ${project.name}`);
});

// Contract: core-1.limit
test('the limit of personal projects is kept', async (t) => {
  const [user, admin] = await Promise.all([app.build.user(), app.build.admin()]);
  await app.as(admin).put(`/users/${user.id}`, { projects_limit: 1 });
  t.is((await app.as(user).post('/projects', { name: 'One' })).status, 201);
  t.is((await app.as(user).get('/user')).body.can_create_project, false);
  const answer = await app.as(user).post('/projects', { name: 'Two' });
  t.is(answer.status, 403);
  t.deepEqual(answer.body, { message: '403 Forbidden - The limit of 1 personal project is reached' });
});

// Contract: core-1.limit
test('two projects at once do not both take the last place of the limit', async (t) => {
  const [user, admin] = await Promise.all([app.build.user(), app.build.admin()]);
  await app.as(admin).put(`/users/${user.id}`, { projects_limit: 1 });
  const answers = await Promise.all(['One', 'Two', 'Three'].map((name) => app.as(user).post('/projects', { name })));
  t.deepEqual(answers.map((answer) => answer.status).sort(), [201, 403, 403]);
});
