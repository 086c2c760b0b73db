import { Ctx, Field, InterfaceType, ObjectType, Query, registerEnumType, Resolver } from 'type-graphql';
import { invoke } from '../../shared/core/operation.js';
import type { User } from '../../shared/users/user.entity.js';
import { getCurrentUser } from '../../shared/users/user.operations.js';
import { userSummary } from '../../shared/users/user.shape.js';
import { globalId, globalIdScalar } from '../core/graphql/global-ids.js';
import type { GraphqlRequest } from '../core/graphql/request.js';
import { Time } from '../core/graphql/scalars.js';
import { shown } from '../core/graphql/shown.js';

export const UserID = globalIdScalar('User');

const UserState = {
  active: 'active',
  blocked: 'blocked',
  deactivated: 'deactivated',
  banned: 'banned',
  ldap_blocked: 'ldap_blocked',
  blocked_pending_approval: 'blocked_pending_approval',
} as const;
registerEnumType(UserState, {
  name: 'UserState',
  description: 'Whether a user may sign in.',
  valuesConfig: {
    active: { description: 'May sign in.' },
    blocked: { description: 'Blocked by an administrator.' },
    deactivated: { description: 'Not in use; signing in brings it back.' },
    banned: { description: 'Blocked, and what it made is hidden.' },
    ldap_blocked: { description: 'Blocked by the directory service.' },
    blocked_pending_approval: { description: 'Waits for an administrator to approve it.' },
  },
});

/** What every type of user has in common. */
@InterfaceType('User', {
  description: 'A person, or a bot that acts for a token.',
})
export abstract class UserFields {
  constructor(
    protected readonly user: User,
    protected readonly request: GraphqlRequest,
  ) {}

  @Field(() => UserID, { description: 'Global id.' })
  get id(): string {
    return globalId('User', this.user.id);
  }

  @Field(() => String, { description: 'Name in URLs and mentions.' })
  get username(): string {
    return this.user.username;
  }

  @Field(() => String, { description: 'Name in full.' })
  get name(): string {
    return this.user.name;
  }

  @Field(() => UserState, { description: 'Whether the user may sign in.' })
  get state(): string {
    return this.user.state;
  }

  @Field(() => String, { nullable: true, description: 'URL of the picture.' })
  get avatarUrl(): unknown {
    return shown(userSummary, 'avatar_url', this.user, this.request.ctx);
  }

  @Field(() => String, { description: 'URL of the profile.' })
  get webUrl(): unknown {
    return shown(userSummary, 'web_url', this.user, this.request.ctx);
  }

  @Field(() => String, { description: 'Path of the profile.' })
  get webPath(): string {
    return `/${this.user.username}`;
  }

  @Field(() => Boolean, { description: 'Whether a program acts as this user.' })
  get bot(): boolean {
    return this.user.bot;
  }

  @Field(() => String, { nullable: true, description: 'Email address that the user shows to everybody.' })
  get publicEmail(): unknown {
    return shown(userSummary, 'public_email', this.user, this.request.ctx);
  }

  @Field(() => Time, { nullable: true, description: 'When the user was created.' })
  get createdAt(): Date {
    return this.user.created_at;
  }
}

/** A user as everybody sees one. */
@ObjectType('UserCore', { implements: UserFields, description: 'A user as everybody sees one.' })
export class UserCoreType extends UserFields {
  /** Null where a record has lost its user. */
  static of(user: User | null, request: GraphqlRequest): UserCoreType | null {
    return user ? new UserCoreType(user, request) : null;
  }
}

/** The caller. */
@ObjectType('CurrentUser', { implements: UserFields, description: 'The user who asks.' })
export class CurrentUserType extends UserFields {}

@Resolver()
export class CurrentUserResolver {
  @Query(() => CurrentUserType, { nullable: true, description: 'Who asks; null without signing in.' })
  async currentUser(@Ctx() request: GraphqlRequest): Promise<CurrentUserType> {
    return new CurrentUserType(await invoke(request.ctx, getCurrentUser, {}), request);
  }
}
