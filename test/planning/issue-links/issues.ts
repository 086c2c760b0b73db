import type { useApp } from '../../core/app.js';
import { sql } from 'kysely';
import type { BuiltUser } from '../../core/builders.js';

type App = ReturnType<typeof useApp>;

export interface CreatedIssue {
  id: number;
  iid: number;
  project_id: number;
  /** The path of its links. */
  links: string;
}

/** An issue of a project, made by its owner. */
export async function issueIn(
  app: App,
  project: { id: number; owner: BuiltUser },
  params: Record<string, unknown> = {},
): Promise<CreatedIssue> {
  const { status, body } = await app
    .as(project.owner)
    .post(`/projects/${project.id}/issues`, { title: 'An issue', ...params });
  if (status !== 201) throw new Error(`The issue was not made: ${status} ${JSON.stringify(body)}`);
  return { ...body, links: `/projects/${project.id}/issues/${body.iid}/links` };
}

/** What names an issue as the other side of a link. */
export const getTarget = ({ project_id, iid }: CreatedIssue) => ({
  target_project_id: project_id,
  target_issue_iid: iid,
});

/** Links an issue with so many new ones of its project, half of them from the other side. */
export async function linkToMany(app: App, { id, project_id }: CreatedIssue, count: number): Promise<void> {
  const now = app.clock.now();
  await app.context().query(sql`
    with made as (
      insert into issues (project_id, iid, title, created_at, updated_at)
      select ${project_id}, 1000 + n, 'Linked', ${now}, ${now} from generate_series(1, ${count}) n returning id, iid)
    insert into issue_links (project_id, source_id, target_id, link_type, created_at, updated_at)
    select ${project_id}, case when m.iid % 2 = 0 then m.id else ${id} end,
           case when m.iid % 2 = 0 then ${id} else m.id end, 'relates_to', ${now}, ${now}
      from made m`);
}
