import type { TestApp } from '../../core/app.js';
import { unique } from '../../core/builders.js';
import type { BuiltUser } from '../../core/builders.js';

export const NOT_READY = { message: '404 Not found or has expired' };

/** What tests of exports do again and again. */
export const exportSteps = (app: TestApp) => {
  /** The answer of a download with its bytes. */
  const download = async (user: BuiltUser, groupId: number, headers: Record<string, string> = {}, kind = 'groups') => {
    const response = await fetch(`${app.url}/api/v4/${kind}/${groupId}/export/download`, {
      headers: { 'PRIVATE-TOKEN': user.token, ...headers },
    });
    return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
  };

  /** A group and its Owner. */
  const owned = async () => {
    const owner = await app.build.user();
    const path = `tree-${unique()}`;
    const { body: group } = await app.as(owner).post('/groups', { name: `Tree ${path}`, path });
    return { owner, group: group as { id: number; full_path: string } };
  };

  /** The bytes of a new archive of a group. */
  const exported = async (owner: BuiltUser, groupId: number): Promise<Buffer> => {
    const { status } = await app.as(owner).post(`/groups/${groupId}/export`);
    if (status !== 202) throw new Error(`Refused with ${status}.`);
    await app.work();
    return (await download(owner, groupId)).bytes;
  };
  return { download, owned, exported };
};
