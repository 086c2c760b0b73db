import { sql } from 'kysely';
import type { ProjectRecord } from '../../../shared/tenancy/projects/project.entity.js';
import type { TestApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { unique } from '../../core/builders.js';
import type { Answer } from '../../core/client.js';
import { queryOne } from '../../core/query-one.js';

type Project = ProjectRecord & { owner: BuiltUser };

/** A project, and what its owner does with its issues. */
export async function issuesIn(app: TestApp, existingProject?: Project) {
  const project = existingProject ?? (await app.build.project());
  const { owner } = project;
  const path = `/projects/${project.id}/issues`;
  const client = app.as(owner);
  return {
    project,
    owner,
    path,
    async make(values: object = {}): Promise<Answer['body']> {
      const { status, body, text } = await client.post(path, { title: `Issue ${unique()}`, ...values });
      if (status !== 201) throw new Error(text);
      return body;
    },
    edit: (iid: number, values: object) => client.put(`${path}/${iid}`, values),
    read: (iid: number) => client.get(`${path}/${iid}`),
    /** @returns its id */
    async milestone(
      of: { project: { id: number } } | { group: { id: number } },
      values: { title?: string; start_date?: string; due_date?: string; state?: string } = {},
    ): Promise<number> {
      const now = app.clock.now();
      const { title = `Milestone ${unique()}`, start_date = null, due_date = null, state = 'active' } = values;
      const row = await queryOne<{ id: number }>(
        app.context(),
        sql`
        insert into milestones (project_id, namespace_id, iid, title, state, start_date, due_date, created_at, updated_at)
        values (${'project' in of ? of.project.id : null}, ${'group' in of ? of.group.id : null}, ${unique()}, ${title},
                ${state}, ${start_date}, ${due_date}, ${now}, ${now}) returning id as "id"`,
      );
      return row?.id ?? 0;
    },
  };
}
