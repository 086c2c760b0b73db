import type { TestApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';

/** An epic as answers have it, as far as tests name its keys. */
export interface CreatedEpic {
  id: number;
  iid: number;
  path: string;
}

/** Creates an epic of a group, as its owner or another user. */
export async function epicIn(
  app: TestApp,
  group: { id: number; owner: BuiltUser },
  attributes: Record<string, unknown> = {},
  by: BuiltUser = group.owner,
): Promise<CreatedEpic> {
  const { status, body } = await app.as(by).post(`/groups/${group.id}/epics`, { title: 'Epic', ...attributes });
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
  return { id: body.id, iid: body.iid, path: `/groups/${group.id}/epics/${body.iid}` };
}
