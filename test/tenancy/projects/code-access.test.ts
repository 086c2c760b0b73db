import test from 'ava';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';

const app = useApp(test);

type Who = 'nobody' | 'stranger' | 'guest' | 'reporter' | 'owner' | 'admin';
const EVERYBODY: Who[] = ['nobody', 'stranger', 'guest', 'reporter', 'owner', 'admin'];
const MEMBERS: Who[] = ['guest', 'reporter', 'owner', 'admin'];

/** Who reads code, by visibility of the project and `repository_access_level`. */
const READERS: Record<string, Record<string, Who[]>> = {
  public: { enabled: EVERYBODY, private: MEMBERS, disabled: [] },
  internal: { enabled: EVERYBODY.filter((who) => who !== 'nobody'), private: MEMBERS, disabled: [] },
  private: { enabled: ['reporter', 'owner', 'admin'], private: ['reporter', 'owner', 'admin'], disabled: [] },
};

for (const [visibility, levels] of Object.entries(READERS)) {
  test(`REST and GraphQL show the code of a project that is ${visibility} to the same callers, at each level`, async (t) => {
    const project = await app.build.project({ visibility });
    const people: Partial<Record<Who, BuiltUser>> = {
      stranger: await app.build.user(),
      guest: await app.build.member(project, 'guest'),
      reporter: await app.build.member(project, 'reporter'),
      owner: project.owner,
      admin: await app.build.admin(),
    };
    const as = (who: Who) => (people[who] ? app.as(people[who]) : app.anonymous);
    const query = `{ project(fullPath: "${project.full_path}") {
      repository { rootRef } userPermissions { downloadCode } languages { name } } }`;
    for (const [level, readers] of Object.entries(levels)) {
      const changed = await as('owner').put(`/projects/${project.id}`, {
        repository_access_level: level,
        merge_requests_access_level: level,
        builds_access_level: level,
      });
      t.is(changed.status, 200);
      const access: Record<string, Who[]> = { files: [], record: [], repository: [], permission: [] };
      for (const who of EVERYBODY) {
        const files = await as(who).get(`/projects/${project.id}/repository/tree`);
        if (files.status === 200) access.files?.push(who);
        const record = await as(who).get(`/projects/${project.id}`);
        if ('default_branch' in record.body) access.record?.push(who);
        const { data } = (await as(who).graphql(query)).body;
        if (data.project?.repository?.rootRef === 'main') access.repository?.push(who);
        if (data.project?.userPermissions.downloadCode) access.permission?.push(who);
      }
      t.deepEqual(access, { files: readers, record: readers, repository: readers, permission: readers }, level);
    }
  });
}
