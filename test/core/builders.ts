import type { GroupRecord } from '../../shared/tenancy/groups/group.entity.js';
import type { ScheduleRecord } from '../../shared/ci/pipeline-schedules/pipeline-schedule.entity.js';
import type { ProjectRecord } from '../../shared/tenancy/projects/project.entity.js';
import { UserCaller } from '../../shared/core/context/callers.js';
import type { CallerUser } from '../../shared/core/context/callers.js';
import type { SignedInContext } from '../../shared/core/context/context.js';
import { invoke } from '../../shared/core/operations/invoke.js';
import type { Role } from '../../shared/core/operations/policy.js';
import { ACCESS_LEVELS } from '../../shared/core/operations/policy.js';
import { sql } from 'kysely';
import { createGroup } from '../../shared/tenancy/group-details/create-group.js';
import { insertToken, TOKEN_SCOPES } from '../../shared/auth/personal-access-tokens/create-token.js';
import { createPipelineSchedule } from '../../shared/ci/pipeline-schedules/edit-pipeline-schedule.js';
import { createProject } from '../../shared/repositories/project-lifecycle/create-project.js';
import { insertUser } from '../../shared/tenancy/users/create-user.js';
import type { NewUser } from '../../shared/tenancy/users/create-user.js';
import type { TestApp } from './app.js';

export type BuiltUser = CallerUser & { token: string; token_id: number };

let sequence = 0;
/** A number that no other test of this file has. */
export const unique = () => (sequence += 1);

/** Creates the records that a test needs. Tests pass only relevant values; the rest is generated. */
export class Builders {
  constructor(private readonly app: TestApp) {}

  /** A user with a token of every scope, or of the passed scopes. */
  async user(options: Partial<NewUser> & { scopes?: readonly string[] } = {}): Promise<BuiltUser> {
    const ctx = this.app.context();
    const number = unique();
    return ctx.transaction(async () => {
      const { scopes, ...rest } = options;
      const user = await insertUser(ctx, {
        username: `user${number}`,
        name: `User ${number}`,
        email: `user${number}@example.com`,
        ...rest,
      });
      const token = await insertToken(ctx, { user_id: user.id, name: 'test', scopes: scopes ?? TOKEN_SCOPES });
      return { ...user, token: token.plain, token_id: token.record.id };
    });
  }

  admin(): Promise<BuiltUser> {
    return this.user({ admin: true });
  }

  /** Another token of a user. */
  async token(user: BuiltUser, options: { scopes?: readonly string[]; expires_on?: string } = {}): Promise<BuiltUser> {
    const ctx = this.app.context();
    const built = await ctx.transaction(() =>
      insertToken(ctx, {
        user_id: user.id,
        name: 'test',
        scopes: options.scopes ?? TOKEN_SCOPES,
        expires_on: options.expires_on ?? null,
      }),
    );
    return { ...user, token: built.plain, token_id: built.record.id };
  }

  /** A project in its owner's namespace, with a README on `main` unless `empty`. */
  async project(
    options: { owner?: BuiltUser; visibility?: string; empty?: boolean; name?: string } = {},
  ): Promise<ProjectRecord & { owner: BuiltUser }> {
    const owner = options.owner ?? (await this.user());
    const ctx = this.contextOf(owner);
    const project = await invoke(ctx, createProject, {
      name: options.name ?? `Project ${unique()}`,
      visibility: options.visibility ?? 'private',
      initialize_with_readme: !options.empty,
    });
    return { ...project, owner };
  }

  /** A group of its owner's, a subgroup where there is a `parent`. */
  async group(
    options: { owner?: BuiltUser; parent?: { id: number } } & Record<string, unknown> = {},
  ): Promise<GroupRecord & { owner: BuiltUser }> {
    const { owner: ownedBy, parent, ...params } = options;
    const owner = ownedBy ?? (parent as { owner?: BuiltUser } | undefined)?.owner ?? (await this.user());
    const number = unique();
    const group = await invoke(this.contextOf(owner), createGroup, {
      name: `Group ${number}`,
      path: `group${number}`,
      ...(parent ? { parent_id: parent.id } : {}),
      ...params,
    });
    return { ...group, owner };
  }

  /** A project in a group, made by the group's owner. */
  async projectIn(
    group: { id: number; owner: BuiltUser },
    options: { visibility?: string; name?: string; empty?: boolean } = {},
  ): Promise<ProjectRecord & { owner: BuiltUser }> {
    const project = await invoke(this.contextOf(group.owner), createProject, {
      name: options.name ?? `Project ${unique()}`,
      namespace_id: group.id,
      visibility: options.visibility ?? 'private',
      initialize_with_readme: options.empty === false,
    });
    return { ...project, owner: group.owner };
  }

  /** Adds a user to a group with a role, optionally with an expiry date (UTC). */
  async groupMember(group: { id: number }, role: Role, user?: BuiltUser, expires_on?: string): Promise<BuiltUser> {
    const member = user ?? (await this.user());
    await this.app.context().query(sql`
      insert into group_members (namespace_id, user_id, access_level, expires_on, created_at)
      values (${group.id}, ${member.id}, ${ACCESS_LEVELS[role]}, ${expires_on ?? null}, ${this.app.clock.now()})
      on conflict (namespace_id, user_id)
        do update set access_level = excluded.access_level, expires_on = excluded.expires_on`);
    return member;
  }

  /** Gives a user a role in a project. */
  async member(project: { id: number }, role: Role, user?: BuiltUser): Promise<BuiltUser> {
    const member = user ?? (await this.user());
    await this.app.context().query(sql`
      insert into project_members (project_id, user_id, access_level, created_at)
      values (${project.id}, ${member.id}, ${ACCESS_LEVELS[role]}, ${this.app.clock.now()})
      on conflict (project_id, user_id) do update set access_level = excluded.access_level`);
    return member;
  }

  /** A schedule with its project and owner. */
  async schedule(
    options: { project?: ProjectRecord; owner?: BuiltUser } & Record<string, unknown> = {},
  ): Promise<ScheduleRecord & { ownedBy: BuiltUser }> {
    const { project: inProject, owner: ownedBy, ...params } = options;
    const project = inProject ?? (await this.project(ownedBy ? { owner: ownedBy } : {}));
    const owner = ownedBy ?? (project as ProjectRecord & { owner: BuiltUser }).owner;
    const schedule = await invoke(this.contextOf(owner), createPipelineSchedule, {
      id: String(project.id),
      description: 'Nightly',
      ref: 'main',
      cron: '0 1 * * *',
      ...params,
    });
    return { ...schedule, ownedBy: owner };
  }

  contextOf(user: BuiltUser): SignedInContext {
    return this.app.context(new UserCaller(user));
  }
}
