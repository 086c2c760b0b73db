import type { GroupRecord } from '../../shared/tenancy/groups/group.entity.js';
import type { ScheduleRecord } from '../../shared/ci/pipeline-schedules/pipeline-schedule.entity.js';
import type { ProjectRecord } from '../../shared/tenancy/projects/project.entity.js';
import { writeAvatar } from '../../shared/instance/avatars/avatar-files.js';
import type { Role } from '../../shared/core/operations/policy.js';
import { ACCESS_LEVELS } from '../../shared/core/operations/policy.js';
import { sql } from 'kysely';
import type { TestApp } from './app.js';
import type { BuiltUser } from './builders.js';
import { unique } from './builders.js';

/** The roles that the walk uses, the least first. */
export const WALKED_ROLES = ['guest', 'planner', 'reporter', 'developer', 'maintainer', 'owner'] as const;
type WalkedRole = (typeof WALKED_ROLES)[number];

/** A branch that Developers may push to and run pipelines on. */
export const WORK = 'work';

/** Everybody that a walk calls as; made once for a test file. */
export interface People extends Record<WalkedRole, BuiltUser> {
  /** Made every record, so that no other role owns one. */
  author: BuiltUser;
  stranger: BuiltUser;
  admin: BuiltUser;
}

/** One user for each part that a walk needs. */
export async function makePeople(app: TestApp): Promise<People> {
  const names = [...WALKED_ROLES, 'author', 'stranger'] as const;
  const users = await Promise.all(names.map(async (name) => [name, await app.build.user()] as const));
  const people = { ...Object.fromEntries(users), admin: await app.build.admin() } as unknown as People;
  // The first request with a token writes down its use; that is no part of any later one.
  for (const user of Object.values(people)) await app.as(user as BuiltUser).get('/version');
  return people;
}

/** A private project and a private group with a member of each role, and the records that a walk creates in them. */
export class Sandbox {
  readonly unique = unique;
  readonly #values = new Map<string, Promise<string | number>>();
  #group: Promise<GroupRecord> | null = null;
  #sha: string | null = null;

  private constructor(
    readonly app: TestApp,
    readonly people: People,
    readonly project: ProjectRecord,
  ) {}

  static async make(app: TestApp, people: People): Promise<Sandbox> {
    const sandbox = new Sandbox(app, people, await app.build.project({ owner: people.author }));
    await sandbox.#addMembers('project', sandbox.project.id);
    await sandbox.#addPicture('project', sandbox.project.id);
    // `main` is protected, so that there the least role is another.
    await sandbox.post(`/projects/${sandbox.project.id}/repository/branches`, { branch: WORK, ref: 'main' });
    return sandbox;
  }

  async #addMembers(kind: 'project' | 'group', id: number) {
    const roles: [BuiltUser, Role][] = WALKED_ROLES.map((role) => [this.people[role], role]);
    const members = sql`unnest(${roles.map(([user]) => user.id)}::bigint[],
      ${roles.map(([, role]) => ACCESS_LEVELS[role])}::int[]) as u (id, level)`;
    const now = this.app.clock.now();
    await this.app.context().query(
      kind === 'project'
        ? sql`insert into project_members (project_id, user_id, access_level, created_at)
              select ${id}, u.id, u.level, ${now} from ${members}`
        : sql`insert into group_members (namespace_id, user_id, access_level, created_at)
              select ${id}, u.id, u.level, ${now} from ${members}`,
    );
  }

  async #addPicture(kind: 'project' | 'group', id: number) {
    const ctx = this.app.context();
    const table = sql.raw(kind === 'project' ? 'projects' : 'namespaces');
    await ctx.transaction(async () => {
      const name = await writeAvatar(ctx, { kind, id }, Buffer.from('GIF89a'), 'gif');
      await ctx.query(sql`update ${table} set avatar = ${name} where id = ${id}`);
    });
  }

  /** The group, made when it is first needed. */
  group(): Promise<GroupRecord> {
    this.#group ??= this.app.build.group({ owner: this.people.author, visibility: 'private' }).then(async (group) => {
      await this.#addMembers('group', group.id);
      await this.#addPicture('group', group.id);
      return group;
    });
    return this.#group;
  }

  /** Another group, in which all users except the stranger have their role too. */
  async otherGroup(): Promise<GroupRecord> {
    const group = await this.app.build.group({ owner: this.people.author, visibility: 'private' });
    await this.#addMembers('group', group.id);
    return group;
  }

  /** The record that `make` created for this key; recreated after {@link forget}. */
  keep(key: string, make: () => Promise<string | number> | string | number): Promise<string | number> {
    const value = this.#values.get(key) ?? Promise.resolve(make());
    this.#values.set(key, value);
    return value;
  }

  forget(): void {
    this.#values.clear();
  }

  /** Makes a record by the API, as the author. */
  async post(path: string, params: object): Promise<{ id: number; name: string; key: string }> {
    const { status, body, text } = await this.app.as(this.people.author).post(path, params);
    if (status >= 300) throw new Error(`An example could not be made: POST ${path} gives ${status} ${text}`);
    return body as { id: number; name: string; key: string };
  }

  user(): Promise<BuiltUser> {
    return this.app.build.user();
  }

  schedule(): Promise<ScheduleRecord> {
    return this.app.build.schedule({ project: this.project, owner: this.people.author, ref: WORK });
  }

  /** The commit at the head of the branches. */
  async sha(): Promise<string> {
    if (this.#sha === null) {
      const { body } = await this.app
        .as(this.people.author)
        .get(`/projects/${this.project.id}/repository/branches/${WORK}`);
      this.#sha = (body as { commit: { id: string } }).commit.id;
    }
    return this.#sha;
  }
}
