import type { Serializer } from '../../../shared/core/operations/serializer.js';
import { currentUserSerializer } from '../../../shared/tenancy/users/user.serializer.js';
import { sql } from 'kysely';
import type { AreaExamples, GraphqlPair, RequestExample } from '../../core/area-examples.js';
import { WALKED_ROLES } from '../../core/sandbox.js';

const pendingUser: RequestExample = {
  ready: ({ app }, { id }) =>
    app.context().query(sql`update users set state = 'blocked_pending_approval' where id = ${Number(id)}`),
};

/** An administrator does something to the user that the request then undoes. */
const after = (done: string): RequestExample => ({
  ready: ({ app, people }, { id }) => app.as(people.admin).post(`/users/${id}/${done}`),
});

const follows = 'everybody may follow whom they like';

/** Where the types differ from the serializers that say the same in REST, on purpose. */
const pairs: readonly GraphqlPair[] = [
  {
    type: 'CurrentUser',
    serializer: currentUserSerializer as Serializer<never>,
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
      'is_auditor',
      'is_auditor',
      'note',
      'allow_possible_spam',
      'created_by',
      'using_license_seat',
    ],
    graphqlOnly: [
      'namespace',
      'groups',
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
];

export default {
  records: {
    '/users/:id': async (sandbox) => (await sandbox.user()).id,
    '/users/:user_id': async (sandbox) => (await sandbox.user()).id,
    '/users/:id/identities/:provider': async ({ app, people, unique }, { id }) => {
      const provider = `provider${unique()}`;
      await app.as(people.admin).put(`/users/${id}`, { provider, extern_uid: `uid${unique()}` });
      return provider;
    },
  },
  requests: {
    'GET /users': { anonymousStatus: 403 },
    'GET /users/:id': { anonymousStatus: 403 },
    'POST /users': { params: { password: () => 'correct horse 42 battery' } },
    'PUT /users/:id': { edit: { admin: true } },
    'PUT /user/avatar': { params: { avatar: () => '' } },
    'POST /users/:id/activate': after('deactivate'),
    'POST /users/:id/approve': pendingUser,
    'POST /users/:id/follow': { notAudited: follows, notPublished: follows },
    'POST /users/:id/reject': pendingUser,
    'POST /users/:id/unban': after('ban'),
    'POST /users/:id/unblock': after('block'),
    'POST /users/:id/unfollow': {
      // For all roles, because any user may follow another.
      ready: ({ app, people }, { id }) =>
        Promise.all(WALKED_ROLES.map((role) => app.as(people[role]).post(`/users/${id}/follow`))),
    },
  },
  graphql: {
    pairs,
    alone: ['CurrentUser'],
    fill: ({ app, user }) =>
      app.context().query(sql`
        insert into user_statuses (user_id, emoji, message, availability) values (${user.id}, 'tea', '', 'busy')`),
  },
} satisfies AreaExamples;
