import type { UserRecord, UserSummary, UserProfile } from '../../../shared/tenancy/users/user.entity.js';
import {
  Ctx,
  Extensions,
  Field,
  Int,
  InterfaceType,
  ObjectType,
  Query,
  registerEnumType,
  Resolver,
} from 'type-graphql';
import { NotFound } from '../../../shared/core/values/errors.js';
import { invoke } from '../../../shared/core/operations/invoke.js';
import { usersById } from '../../../shared/tenancy/users/user.finder.js';
import { getCurrentUser } from '../../../shared/tenancy/users/user.operations.js';
import { groupCounts } from '../../../shared/tenancy/users/memberships.js';
import { userPolicy } from '../../../shared/tenancy/users/user.policy.js';
import { userSummary } from '../../../shared/tenancy/users/user.serializer.js';
import { statusesByUser } from '../../../shared/tenancy/users/user-status.js';
import type { StatusRecord } from '../../../shared/tenancy/users/user-status.js';
import { attributesOfUsers } from '../../../shared/tenancy/containers/custom-attribute.serializer.js';
import {
  CUSTOM_ATTRIBUTES,
  CustomAttributeType,
  loadCustomAttributes,
} from '../containers/custom-attributes.graphql.js';
import { globalId, globalIdScalar } from '../../core/graphql/global-ids.js';
import { SHORT } from '../../core/graphql/nodes.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { CalendarDate, Time } from '../../core/graphql/scalars.js';
import { RecordField, RecordObject, SerializedField } from '../../core/graphql/records.js';

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
  description: 'State of a user.',
  valuesConfig: {
    active: { description: 'User is active and may sign in.' },
    blocked: { description: 'User is blocked by an administrator.' },
    deactivated: { description: 'User is deactivated. Signing in reactivates the user.' },
    banned: { description: 'User is blocked, and their contributions are hidden.' },
    ldap_blocked: { description: 'User is blocked by the directory service.' },
    blocked_pending_approval: { description: 'User is blocked, pending approval by an administrator.' },
  },
});

const Availability = { NOT_SET: 'not_set', BUSY: 'busy' } as const;
registerEnumType(Availability, {
  name: 'AvailabilityEnum',
  description: 'Availability status of a user.',
  valuesConfig: { NOT_SET: { description: 'Availability is not set.' }, BUSY: { description: 'User is busy.' } },
});

@ObjectType('UserStatus', { description: 'Status of a user.', simpleResolvers: true })
class UserStatusType {
  @Field(() => String, { nullable: true, description: 'Name of the emoji of the status.' })
  emoji!: string;

  @Field(() => String, { nullable: true, description: 'Message of the status.' })
  message!: string;

  @Field(() => Availability, { description: 'Availability of the user.' })
  availability!: string;
}

/** The common fields of all user types. Records reference users by a summary; the rest is loaded when requested. */
@InterfaceType('User', { description: 'Core fields of a user: a person, or a bot that acts for a token.' })
export abstract class UserFields extends RecordObject<UserSummary> {
  async full(): Promise<UserRecord> {
    const found = await this.request.load(usersById, this.record.id);
    if (!found) throw new NotFound('User');
    return found;
  }

  /** A text of the profile; null when there is none, or when the user keeps it private. */
  async #profile(key: keyof UserProfile): Promise<unknown> {
    const found = await this.full();
    return (userPolicy.read_user_profile(this.request.ctx.caller, found) && found.profile[key]) || null;
  }

  @Field(() => UserID, { description: 'Global ID of the user.' })
  get id(): string {
    return globalId('User', this.record.id);
  }

  @RecordField(() => String, { description: 'Username of the user, for URLs and mentions.' })
  declare readonly username: string;

  @RecordField(() => String, { description: 'Full name of the user.' })
  declare readonly name: string;

  @RecordField(() => UserState, { description: 'State of the user.' })
  declare readonly state: string;

  @SerializedField(userSummary, () => String, { nullable: true, description: 'URL of the avatar of the user.' })
  declare readonly avatarUrl: unknown;

  @SerializedField(userSummary, () => String, { description: 'Web URL of the profile of the user.' })
  declare readonly webUrl: unknown;

  @Field(() => String, { description: 'Web path of the profile of the user.' })
  get webPath(): string {
    return `/${this.record.username}`;
  }

  @Field(() => Boolean, { description: 'Indicates the user is a bot.' })
  async bot(): Promise<boolean> {
    return (await this.full()).bot;
  }

  @SerializedField(userSummary, () => String, { nullable: true, description: 'Public email address of the user.' })
  declare readonly publicEmail: unknown;

  @Field(() => Time, {
    nullable: true,
    description: 'Timestamp of when the user was created; null for a private profile.',
  })
  async createdAt(): Promise<Date | null> {
    const found = await this.full();
    return userPolicy.read_user_profile(this.request.ctx.caller, found) ? found.created_at : null;
  }

  @Field(() => String, { nullable: true, description: 'Location of the user.' })
  location(): Promise<unknown> {
    return this.#profile('location');
  }

  @Field(() => String, { nullable: true, description: 'Organization the user works for.' })
  organization(): Promise<unknown> {
    return this.#profile('organization');
  }

  @Field(() => String, { nullable: true, description: 'Job title of the user.' })
  jobTitle(): Promise<unknown> {
    return this.#profile('job_title');
  }

  @Field(() => String, { nullable: true, description: 'Pronouns of the user.' })
  pronouns(): Promise<unknown> {
    return this.#profile('pronouns');
  }

  @Field(() => String, { nullable: true, description: 'Biography of the user.' })
  bio(): Promise<unknown> {
    return this.#profile('bio');
  }

  @Field(() => CalendarDate, {
    nullable: true,
    description: 'Date of the last activity of the user. Available only to the user and administrators.',
  })
  async lastActivityOn(): Promise<unknown> {
    const found = await this.full();
    return userPolicy.read_user_details(this.request.ctx.caller, found) ? (found.last_activity_on ?? null) : null;
  }

  @Field(() => UserStatusType, { nullable: true, description: 'Status of the user.' })
  async status(): Promise<StatusRecord | null> {
    return this.request.load(statusesByUser, this.record.id);
  }

  @Field(() => Int, {
    nullable: true,
    description: 'Number of groups the user is a direct member of. Available only to the user and administrators.',
  })
  async groupCount(): Promise<number | null> {
    const found = await this.full();
    if (!userPolicy.read_user_details(this.request.ctx.caller, found)) return null;
    return (await this.request.load(groupCounts, this.record.id)) ?? 0;
  }

  @Extensions(SHORT)
  @Field(() => [CustomAttributeType], CUSTOM_ATTRIBUTES)
  customAttributes(): Promise<unknown> {
    return loadCustomAttributes(this.request, attributesOfUsers, this.record.id);
  }
}

/** A user as everybody sees one. */
@ObjectType('UserCore', { implements: UserFields, description: 'User, with the fields visible to everybody.' })
export class UserCoreType extends UserFields {}

/** The caller. */
@ObjectType('CurrentUser', { implements: UserFields, description: 'Currently authenticated user.' })
export class CurrentUserType extends UserFields {
  constructor(
    private readonly own: UserRecord,
    request: GraphqlRequest,
  ) {
    super(own, request);
  }

  override full(): Promise<UserRecord> {
    return Promise.resolve(this.own);
  }
}

@Resolver()
export class CurrentUserResolver {
  @Query(() => CurrentUserType, {
    nullable: true,
    description: 'User who makes the request; null for unauthenticated requests.',
  })
  async currentUser(@Ctx() request: GraphqlRequest): Promise<CurrentUserType> {
    return new CurrentUserType(await invoke(request.ctx, getCurrentUser, {}), request);
  }
}
