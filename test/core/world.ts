import type { Role } from '../../shared/core/policy.js';
import { ACCESS_LEVELS } from '../../shared/core/policy.js';
import { invoke } from '../../shared/core/operation.js';
import { sql } from '../../shared/core/sql.js';
import { insertPipelines } from '../../shared/pipelines/insert-pipelines.js';
import type { ScheduleRecord } from '../../shared/pipeline-schedules/pipeline-schedule.finder.js';
import type { ProjectRecord } from '../../shared/projects/project.finder.js';
import { createBranch, createTag } from '../../shared/repositories/ref.operations.js';
import type { TestApp } from './app.js';
import type { BuiltUser } from './builders.js';
import { unique } from './builders.js';

/** The roles that the walk asks for, the least first. */
export const WALKED_ROLES = ['guest', 'planner', 'reporter', 'developer', 'maintainer', 'owner'] as const;
export type WalkedRole = (typeof WALKED_ROLES)[number];

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
  const made = await Promise.all(names.map(async (name) => [name, await app.build.user()] as const));
  return { ...Object.fromEntries(made), admin: await app.build.admin() } as unknown as People;
}

/** A private project with a member of each role, and what a walk makes in it. */
export class World {
  readonly unique = unique;
  readonly #kept = new Map<string, Promise<string | number>>();

  private constructor(
    readonly app: TestApp,
    readonly people: People,
    readonly project: ProjectRecord,
  ) {}

  static async make(app: TestApp, people: People, visibility = 'private'): Promise<World> {
    const project = await app.build.project({ owner: people.author, visibility });
    const roles: [BuiltUser, Role][] = WALKED_ROLES.map((role) => [people[role], role]);
    await app.context().query(sql`
      insert into project_members (project_id, user_id, access_level, created_at)
      select ${project.id}, u.id, u.level, ${app.clock.now()}
        from unnest(${roles.map(([user]) => user.id)}::bigint[], ${roles.map(([, role]) => ACCESS_LEVELS[role])}::int[])
          as u (id, level)`);
    return new World(app, people, project);
  }

  /** The record that `make` made for this key, made anew after {@link forget}. */
  keep(key: string, make: () => Promise<string | number> | string | number): Promise<string | number> {
    const kept = this.#kept.get(key) ?? Promise.resolve(make());
    this.#kept.set(key, kept);
    return kept;
  }

  forget(): void {
    this.#kept.clear();
  }

  get #author() {
    return this.app.build.contextOf(this.people.author);
  }

  schedule(): Promise<ScheduleRecord> {
    return this.app.build.schedule({ project: this.project, owner: this.people.author });
  }

  async branch(): Promise<string> {
    const branch = `branch-${unique()}`;
    await invoke(this.#author, createBranch, { id: String(this.project.id), branch, ref: 'main' });
    return branch;
  }

  async tag(): Promise<string> {
    const name = `v${unique()}`;
    await invoke(this.#author, createTag, { id: String(this.project.id), tag_name: name, ref: 'main' });
    return name;
  }

  async pipeline(): Promise<number> {
    const ctx = this.#author;
    const [id] = await ctx.transaction(() =>
      insertPipelines(ctx, [
        {
          project_id: this.project.id,
          ref: 'refs/heads/main',
          sha: 'a'.repeat(40),
          source: 'api',
          user_id: this.people.author.id,
          pipeline_schedule_id: null,
          variables: [],
          inputs: null,
        },
      ]),
    );
    return id as number;
  }
}
